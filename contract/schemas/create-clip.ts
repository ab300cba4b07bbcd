import { z } from "zod";
import { visibilities } from "../clip-address.ts";
import { clipFormatNames } from "../clip-formats.ts";
import { tooManyHighlights, tooManyParts } from "../clip-rules.ts";
import { limits } from "../limits.ts";
import { renderSettingsSchema } from "./clips.ts";

export const clipOrders = ["match", "chosen"] as const;

/** Repeated ids are accepted, up to this many in all. */
const maxHighlightIds = 20 * limits.highlightsPerClip;

export const createClipSchema = z.object({
  /** Empty for a generated name. */
  name: z.string().max(limits.clipNameCharacters).default(""),
  highlight_ids: z.array(z.int()).max(maxHighlightIds, tooManyHighlights),
  render_settings: renderSettingsSchema.prefault({}),
  /** Default: that of the installation, `default_clip_format` of GET /api/site/. */
  format: z.enum(clipFormatNames).optional(),
  /** Rounds in the order of the match (the default), or in the order of `highlight_ids`. */
  order: z.enum(clipOrders).optional(),
  /** Default: public. */
  visibility: z.enum(visibilities).optional(),
  /** True: answers with the player's clip that shows the same, if there is one, and makes none. */
  reuse: z.boolean().optional(),
});
export type CreateClip = z.infer<typeof createClipSchema>;

/** What the browser needs to play a clip before it is rendered. */
export const clipPreviewSchema = z.object({
  /** `ClipSpec` of replay/clip-spec.ts. */
  spec: z.record(z.string(), z.unknown()),
  /** Path of the replay track, for `decodeReplayTrack` of replay/ once the browser has unpacked it. */
  track_url: z.string(),
  /** How much of the match it shows. The video differs a little: decisive kills run slower in it, and waits faster. */
  duration_seconds: z.number(),
});
export type ClipPreview = z.infer<typeof clipPreviewSchema>;

/** Repeated ids are accepted, as a form may send them, up to this many in all. */
const maxClipIds = 10 * limits.partsOfCompilation.max;

export const createCompilationSchema = z.object({
  /** Empty for a generated name. */
  name: z.string().max(limits.clipNameCharacters).default(""),
  /** In the order of the compilation. */
  clip_ids: z.array(z.int()).max(maxClipIds, tooManyParts),
  /** A format that all of them have. Default: that of the first, if all have it. */
  format: z.enum(clipFormatNames).optional(),
  /** Default: public if all its parts are. */
  visibility: z.enum(visibilities).optional(),
});
export type CreateCompilation = z.infer<typeof createCompilationSchema>;
