/** Of a demo whose highlights or track have changed: its pictures are made anew when somebody looks, and the old file is swept. */
export const noPictures = { pictures_key: null, pictures_tried_at: null } as const;
