import { z } from "zod";
import { textLimits } from "../text-limits.ts";

/** Of an upload in parts. */
export const uploadIdPattern = /^[0-9a-f]{24}$/;

export const beginUploadSchema = z.object({
  file_name: z.string().max(textLimits.url),
  /** Of the whole file. */
  bytes: z.int().min(1),
});

export const uploadStateSchema = z.object({
  id: z.string().regex(uploadIdPattern),
  /** Of each part but the last, which is the rest. */
  part_bytes: z.int(),
  /** How much of the file is here: whole parts, from its beginning. */
  received_bytes: z.int(),
  bytes: z.int(),
});
export type UploadState = z.output<typeof uploadStateSchema>;
