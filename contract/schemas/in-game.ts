import { z } from "zod";
/** How to record a clip in the game itself. */
export const inGameSchema = z.object({
  clip_name: z.string(),
  /** Name of the unpacked demo, if it is known and the game's console can take it; else "match.dem". */
  demo_name: z.string(),
  /** The demo tick to start playback at, before every command of the file for HLAE. */
  first_tick: z.int(),
  /** Number of videos that HLAE writes, one for each part of the clip. */
  takes: z.int(),
  /** Players whom no console command is sure to find by name; they have to be chosen by hand. */
  by_hand: z.array(z.string()),
  /** Path below the API base. */
  csdm_url: z.string(),
  hlae_url: z.string(),
});
export type InGame = z.infer<typeof inGameSchema>;

/** Config for `csdm video --config-file` of CS Demo Manager. Source: `VideoCommandConfig` in its `src/cli/commands/video-command.ts`. */
export const csdmConfigSchema = z.object({
  /** Path of the unpacked demo. */
  demoPath: z.string(),
  outputFileName: z.string(),
  framerate: z.int(),
  width: z.int(),
  height: z.int(),
  trueView: z.boolean(),
  closeGameAfterRecording: z.boolean(),
  concatenateSequences: z.boolean(),
  sequences: z.array(
    z.object({
      number: z.int().min(1),
      startTick: z.int(),
      endTick: z.int(),
      showXRay: z.boolean(),
      showAssists: z.boolean(),
      showOnlyDeathNotices: z.boolean(),
      /** Seconds. */
      deathNoticesDuration: z.number(),
      playerVoicesEnabled: z.boolean(),
      recordAudio: z.boolean(),
      playersOptions: z.array(z.never()).max(0),
      cameras: z.array(z.never()).max(0),
      playerCameras: z.array(z.object({ tick: z.int(), playerSteamId: z.string(), playerName: z.string() })),
    }),
  ),
});
export type CsdmConfig = z.infer<typeof csdmConfigSchema>;
