/** What the kinds of jobs are called, by the names that the API has for them. */
const queues: Record<string, string> = {
  import: "Imports",
  render: "Renders",
  join: "Compilations",
  share: "Share files",
  loop: "Loops",
  relief: "Match reliefs",
  pictures: "Match pictures",
  map: "Maps",
  forget: "Deleted accounts",
  redetect: "New detection",
  retention: "Clean-up",
};

const kinds: Record<string, string> = {
  database: "Database",
  videos: "Videos",
  pictures: "Posters and thumbnails",
  share_files: "Share files",
  loops: "Loops",
  tracks: "Replay tracks",
  demos: "Demos",
  match_pictures: "Match pictures",
  maps: "Maps",
  uploads: "Uploads",
  reliefs: "Reliefs",
  other: "Other files",
};

export const queueLabel = (name: string) => queues[name] ?? name;
export const kindLabel = (kind: string) => kinds[kind] ?? kind;
