/** Values for a demo whose highlights or track have changed: its pictures are made anew when somebody opens the match, and the sweep deletes the old file. */
export const noPictures = { pictures_key: null, pictures_tried_at: null } as const;
