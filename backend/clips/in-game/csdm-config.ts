import type { CsdmConfig } from "../../../contract/schemas/in-game.ts";
import { type RecordedClip, type RecordedTake, recordedTakes, repeatedCameras } from "./recorded-takes.ts";

/** How long a kill stays in the feed, in seconds: as the game has it. */
const deathNoticesSeconds = 5;

/**
 * A clip as CS Demo Manager records it: `csdm video --config-file FILE`. What a user sets once for all videos (HLAE or the game's own
 * recorder, the encoder) is left to their settings: a file that names HLAE records nothing but on Windows, and there installs it.
 * Source: `VideoCommandConfig` in `src/cli/commands/video-command.ts`, `src/common/types/sequence.ts` and
 * `src/node/video/generation/concatenate-videos-from-sequences.ts` of akiver/cs-demo-manager.
 * @param demoPath of the unpacked demo; a relative one begins in the folder in which csdm is called
 */
export function csdmConfig(clip: RecordedClip, demoPath: string): string {
  const { spec, tickRate, name } = clip;
  const config: CsdmConfig = {
    demoPath,
    outputFileName: plainFileName(name),
    framerate: spec.framesPerSecond,
    width: spec.width,
    height: spec.height,
    trueView: true,
    closeGameAfterRecording: true,
    concatenateSequences: true,
    // Joined by number since July 2026 (b2f06453), before that as they stand here; recorded in the order of the demo either way.
    sequences: inClipOrder(recordedTakes(clip)).map((take) => ({
      number: take.number,
      startTick: take.startTick,
      endTick: take.endTick,
      showXRay: spec.settings.xray,
      showAssists: true,
      showOnlyDeathNotices: !spec.settings.hud,
      deathNoticesDuration: deathNoticesSeconds,
      playerVoicesEnabled: false,
      recordAudio: true,
      playersOptions: [],
      cameras: [],
      playerCameras: repeatedCameras(take, tickRate).flatMap(({ tick, player }) =>
        player.steam_id === null ? [] : [{ tick, playerSteamId: player.steam_id, playerName: player.name }],
      ),
    })),
  };
  return withoutCommentSigns(`${JSON.stringify(config, null, 2)}\n`);
}

/**
 * What csdm is told to call the video. It writes the name between double quotes into a shell's command where it joins sequences
 * (`concatenateVideosFromSequences`, `executeFFmpeg`), and a clip's name holds names of players: only what means nothing to any shell,
 * nor to csdm's own `{placeholders}`, is left of it.
 */
function plainFileName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{M}\p{N} ._-]+/gu, " ").replace(/ +/g, " ");
  // Neither an option, nor a folder's name, nor an ending that Windows drops.
  const trimmed = plain.replace(/^[ ._-]+/, "");
  return (
    [...trimmed]
      .slice(0, 80)
      .join("")
      .replace(/[ .]+$/, "") || "clip"
  );
}

const inClipOrder = (takes: readonly RecordedTake[]) => [...takes].sort((a, b) => a.number - b.number);

/** csdm takes `#…`, `//…` and what is between `/*` and `*\/` for comments, in texts as well. JSON has other words for both signs. */
function withoutCommentSigns(json: string): string {
  return json.replaceAll("#", "\\u0023").replaceAll("/", "\\u002f");
}
