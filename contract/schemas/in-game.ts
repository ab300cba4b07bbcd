import { z } from "zod";
/** How a clip is recorded in the game itself. */
export const inGameSchema = z.object({
  clip_name: z.string(),
  /** What the match's demo is called, unpacked, as far as anybody knows and the game's console can say it; else "match.dem". */
  demo_name: z.string(),
  /** A demo tick: from here on playback passes every command of the file for HLAE. */
  first_tick: z.int(),
  /** How many videos HLAE writes, one for each part of the clip. */
  takes: z.int(),
  /** Players whom no console command is sure to find by name: whoever records chooses them by hand. */
  by_hand: z.array(z.string()),
  /** Path below the API base. */
  csdm_url: z.string(),
  hlae_url: z.string(),
});
export type InGame = z.infer<typeof inGameSchema>;

/** What CS Demo Manager reads with `csdm video --config-file`. Source: `VideoCommandConfig` in its `src/cli/commands/video-command.ts`. */
export const csdmConfigSchema = z.object({
  /** Of the unpacked demo. */
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
