/** Table and column of all blob keys in rows. Files of maps are named by their hash instead: `maps/map-files.ts`. */
export const blobColumns = [
  ["demos", "track_key"],
  ["demos", "file_key"],
  ["demos", "pictures_key"],
  ["highlights", "still_key"],
  ["matches", "upload_key"],
  ["clips", "video_key"],
  ["clips", "poster_key"],
  ["clips", "thumbnail_key"],
  ["clips", "wide_poster_key"],
  ["clips", "share_key"],
  ["clips", "loop_key"],
  ["clip_formats", "video_key"],
  ["clip_formats", "poster_key"],
] as const;
