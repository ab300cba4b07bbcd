import { z } from "zod";
import { visibilities } from "../clip-address.ts";
import { clipFormatNames } from "../clip-formats.ts";
import { tooManyHighlights, tooManyParts } from "../clip-rules.ts";
import { limits } from "../limits.ts";
import { renderSettingsSchema } from "./clips.ts";

export const clipOrders = ["match", "chosen"] as const;

/** The same highlight may be named more than once. */
const maxHighlightIds = 20 * limits.highlightsPerClip;

export const createClipSchema = z.object({
  /** Empty for a generated one. */
  name: z.string().max(limits.clipNameCharacters).default(""),
  highlight_ids: z.array(z.int()).max(maxHighlightIds, tooManyHighlights),
  render_settings: renderSettingsSchema.prefault({}),
  /** Without one that of the installation, `default_clip_format` of GET /api/site/. */
  format: z.enum(clipFormatNames).optional(),
  /** The rounds as they were played (the default), or in the order in which their highlights are named. */
  order: z.enum(clipOrders).optional(),
  /** Public unless it says otherwise. */
  visibility: z.enum(visibilities).optional(),
  /** True: the player's clip that would show the same, if there is one, is the answer, and none is made. */
  reuse: z.boolean().optional(),
});
export type CreateClip = z.infer<typeof createClipSchema>;

/** What the browser needs to play a clip before it is rendered. */
export const clipPreviewSchema = z.object({
  /** `ClipSpec` of replay/clip-spec.ts. */
  spec: z.record(z.string(), z.unknown()),
  /** Path of the replay track, as `decodeReplayTrack` of replay/ reads it once the browser has unpacked it. */
  track_url: z.string(),
  /** Of the match that it shows: the video takes a little more or less, since decisive kills run slower in it and waits faster. */
  duration_seconds: z.number(),
});
export type ClipPreview = z.infer<typeof clipPreviewSchema>;

/** Every clip at most ten times, as a form may send it. */
const maxClipIds = 10 * limits.partsOfCompilation.max;

export const createCompilationSchema = z.object({
  /** Empty for a generated one. */
  name: z.string().max(limits.clipNameCharacters).default(""),
  /** In the order in which they are to be seen. */
  clip_ids: z.array(z.int()).max(maxClipIds, tooManyParts),
  /** One that all of them have; without one that of the first, if all have it. */
  format: z.enum(clipFormatNames).optional(),
  /** Without one, public when all its parts are. */
  visibility: z.enum(visibilities).optional(),
});
export type CreateCompilation = z.infer<typeof createCompilationSchema>;
