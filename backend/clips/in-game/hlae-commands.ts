import { textLimits } from "../../../contract/text-limits.ts";
import type { DemoPlayer } from "../../storage/schema.ts";
import { type RecordedClip, recordedTakes, repeatedCameras, settlingSeconds } from "./recorded-takes.ts";

/**
 * A clip as HLAE records it while the game plays the demo: `mirv_cmd load FILE`, which runs each command when playback passes its tick.
 * Loading clears what was scheduled before. Source: `CommandSystem::Load` in `shared/CommandSystem.cpp` of advancedfx/advancedfx,
 * which reads a file with rapidxml.
 */
export function hlaeCommands(clip: RecordedClip): string {
  const { spec, tickRate } = clip;
  const settling = settlingSeconds * tickRate;
  const takes = recordedTakes(clip);
  const commands = takes.flatMap((take, i) => {
    const next = takes[i + 1];
    return [
      { tick: Math.max(1, take.startTick - settling), text: setUp(spec) },
      ...repeatedCameras(take, tickRate).flatMap(({ tick, player }) => {
        const command = lookAt(player, clip.players);
        return command === null ? [] : [{ tick, text: command }];
      }),
      { tick: take.startTick, text: "mirv_streams record start" },
      { tick: take.endTick, text: "mirv_streams record end" },
      // On a tick of its own: a jump swallows what else is to happen on its tick.
      ...afterwards(take.endTick + settling, next && firstTick(next.startTick, settling)),
    ];
  });
  const lines = commands.map(({ tick, text }) => `    <c tick="${tick}">${escaped(text)}</c>`);
  return `<?xml version="1.0" encoding="utf-8"?>\n<commandSystem>\n  <commands>\n${lines.join("\n")}\n  </commands>\n</commandSystem>\n`;
}

/** Where playback is to begin, so that every command is passed. */
export function hlaeFirstTick(clip: RecordedClip): number {
  return firstTick(recordedTakes(clip)[0]?.startTick ?? 1, settlingSeconds * clip.tickRate);
}

/** Names, as they are shown, of those whom a clip follows and whom no command is sure to find: they are chosen by hand. */
export function unsayableNames(clip: RecordedClip): string[] {
  const players = recordedTakes(clip).flatMap(({ cameras }) => cameras.map(({ player }) => player));
  return [...new Set(players.filter((player) => lookAt(player, clip.players) === null).map(({ name }) => name))];
}

/** Whether the game's console takes a text in double quotes for that text, and nothing in it for a command. */
export function canBeQuoted(text: string): boolean {
  return !/["\\;\p{Cc}]/u.test(text);
}

/** Before the commands that get a take ready. */
function firstTick(startTick: number, settling: number): number {
  return Math.max(1, startTick - settling - Math.ceil(settling / 8));
}

/** @param goTo the tick of the next take; undefined after the last one */
function afterwards(tick: number, goTo: number | undefined): { tick: number; text: string }[] {
  if (goTo === undefined) return [{ tick, text: "demo_pause" }];
  // Playback that jumped back would come by here again, for ever.
  return goTo > tick ? [{ tick, text: `demo_gototick ${goTo}` }] : [];
}

function setUp({ framesPerSecond, settings }: RecordedClip["spec"]): string {
  return [
    "sv_cheats 1",
    `mirv_streams record fps ${framesPerSecond}`,
    "mirv_streams record screen enabled 1",
    "mirv_streams record startMovieWav 1",
    `spec_show_xray ${settings.xray ? 1 : 0}`,
    `cl_draw_only_deathnotices ${settings.hud ? 0 : 1}`,
  ].join("; ");
}

/**
 * The command that looks at somebody. A name is a stranger's text in a player's console: one that could end its quotes, or begin
 * another command, is not said at all. Nor is one that is not the demo's own, whom the game would not find, nor one by which it could
 * find somebody else.
 * @param players all of the match
 */
function lookAt(player: DemoPlayer, players: readonly DemoPlayer[]): string | null {
  const { name, has_other_name: hasOtherName } = player;
  // U+FFFD stands where the demo's bytes are no text. Where nobody noted it, a name as long as we keep them may have been cut.
  if (name === "" || !canBeQuoted(name) || name.includes("\uFFFD")) return null;
  if (hasOtherName || Array.from(name).length >= textLimits.playerName) return null;
  // The command takes a slot as well as a name: a player called “7” would be whoever has slot 7.
  if (/^#?[+-]?\d+$/.test(name.trim())) return null;
  const isShared = players.some((other) => other !== player && comparable(other.name) === comparable(name));
  if (isShared) return null;
  return `spec_mode 1; spec_player "${name}"`;
}

/** The game finds names whatever their case. */
const comparable = (name: string) => name.trim().toLowerCase();

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
