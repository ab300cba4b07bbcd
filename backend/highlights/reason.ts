import type { KillFlag } from "../../contract/kill-flags.ts";
import { weaponByEventName, weaponName } from "../../contract/weapons.ts";
import type { MatchRecord, RecordedKill, RecordedRound } from "../../replay/match-record.ts";
import { livingAfter, roundLives } from "../../replay/round-lives.ts";
import { countedKills, teamOnSide } from "./counted-kills.ts";
import type { FoundHighlight, HighlightMoment } from "./highlight.ts";

const numberWords = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/**
 * Why it is a highlight, in one plain English sentence without a full stop: "4 kills in 6.2 s, two through smoke". It contains no player's
 * name, so that it can stand beside one.
 */
export function highlightReason(record: MatchRecord, round: RecordedRound, highlight: FoundHighlight): string {
  switch (highlight.type) {
    case "ace":
    case "quad_kill":
    case "triple_kill":
    case "multi_kill":
      return join(killsInTime(record, highlight), ...flagCounts(highlight));
    case "headshot_streak":
      return join(
        `${highlight.moments.length} headshots in a row${inTime(record, highlight)}`,
        ...flagCounts(highlight, "headshot"),
      );
    case "clutch_1v2":
    case "clutch_1v3":
    case "clutch_1v4":
    case "clutch_1v5":
      return clutchReason(record, round, highlight);
    case "ninja_defuse":
      return ninjaReason(record, round, highlight);
    default:
      return specialReason(record, highlight);
  }
}

function killsInTime(record: MatchRecord, highlight: FoundHighlight): string {
  const count = highlight.moments.length;
  const [first] = highlight.moments;
  const isOneShot = highlight.moments.every(({ tick, flags }) => tick === first?.tick && flags.includes("collateral"));
  if (isOneShot) {
    const fired = weaponByEventName(first?.weapon ?? "")?.category === "shotgun" ? "shot" : "bullet";
    return `${plural(count, "kill")} with one ${fired}`;
  }
  return `${plural(count, "kill")}${inTime(record, highlight)}`;
}

function inTime(record: MatchRecord, { moments }: FoundHighlight): string {
  return durationText(((moments.at(-1)?.tick ?? 0) - (moments[0]?.tick ?? 0)) / record.tickRate);
}

function durationText(seconds: number): string {
  const written = seconds.toFixed(1);
  return written === "0.0" ? " at once" : ` in ${written} s`;
}

function clutchReason(record: MatchRecord, round: RecordedRound, highlight: FoundHighlight): string {
  const opponents = Number(highlight.type.at(-1));
  const alone = `Last alive against ${numberWord(opponents)}`;
  const kills = highlight.moments.filter((moment) => moment.kind === "kill");
  const defused = highlight.moments.some((moment) => moment.kind === "defuse");
  const seconds = (highlight.endTick - highlight.startTick) / record.tickRate;
  if (kills.length === 0) return defused ? `${alone}, won by the defuse` : `${alone}, won ${withoutKill(round)}`;
  // Kills before the clutch are not part of it, but readers who count the player's kills of the round, as the clip does, include them.
  const ofRound = countedKills(record, round).filter(
    ({ attacker, tick }) => attacker === highlight.player && tick <= highlight.endTick,
  );
  const counted = plural(kills.length, ofRound.length > kills.length ? "more kill" : "kill");
  const done = `${counted}${defused ? " and the defuse" : ""}`;
  return join(alone, `${done}${durationText(seconds)}`, ...flagCounts(highlight));
}

function withoutKill(round: RecordedRound): string {
  switch (round.reason) {
    case "target_bombed":
      return "by the bomb";
    case "time_ran_out":
    case "hostages_not_rescued":
      return "on time";
    case "hostages_rescued":
      return "by the rescue";
    default:
      return "without a kill";
  }
}

function ninjaReason(record: MatchRecord, round: RecordedRound, highlight: FoundHighlight): string {
  const alive = livingAfter(roundLives(record, round), teamOnSide(round, "T"), highlight.startTick).length;
  return `Defused with ${numberWord(alive)} ${alive === 1 ? "terrorist" : "terrorists"} alive`;
}

function specialReason(record: MatchRecord, highlight: FoundHighlight): string {
  const [first] = highlight.moments;
  const kill = killOf(record, highlight, first);
  if (!first || !kill) throw new Error(`A ${highlight.type} has no kill.`);
  const weapon = weaponName(first.weapon);
  const count = highlight.moments.length;
  const own: Partial<Record<FoundHighlight["type"], [sentence: string, flag?: KillFlag]>> = {
    knife_kill: [`Killed with the ${weapon.startsWith("Knife") ? "knife" : weapon}`],
    taser_kill: [`Zeus kill`],
    wallbang: [
      `${weapon} through ${kill.penetrated === 1 ? "one wall" : `${numberWord(kill.penetrated)} walls`}`,
      "wallbang",
    ],
    no_scope: [`${weapon} without the scope`, "no_scope"],
    through_smoke: [`${weapon} through smoke`, "through_smoke"],
    midair_kill: [`${weapon} in mid-air`, "midair"],
    one_tap: [`One ${weapon} bullet to the head`, "headshot"],
    nade_kill: [first.weapon === "hegrenade" ? "Killed by the HE grenade" : `Direct hit with the ${weapon}`],
    molly_kill: ["Burned to death"],
  };
  const [sentence, flag] = own[highlight.type] ?? [`${weapon} kill`];
  const more = count > 1 ? `${numberWord(count)} kills at once` : "";
  const distance = kill.distance >= 1 && highlight.type !== "molly_kill" ? ` at ${Math.round(kill.distance)} m` : "";
  return join(sentence + distance, more, ...flagWords(highlight, flag));
}

function killOf(
  record: MatchRecord,
  highlight: FoundHighlight,
  moment: HighlightMoment | undefined,
): RecordedKill | undefined {
  return record.kills.find(
    ({ tick, attacker, victim }) => tick === moment?.tick && attacker === highlight.player && victim === moment.victim,
  );
}

/** Flags of a single kill: "headshot, in mid-air". */
function flagWords({ moments }: FoundHighlight, except: KillFlag | undefined): string[] {
  const words: [KillFlag, string][] = [
    ["headshot", "headshot"],
    ["wallbang", "through a wall"],
    ["no_scope", "without the scope"],
    ["through_smoke", "through smoke"],
    ["midair", "in mid-air"],
    ["blind", "while blind"],
    ["flash_assist", "with a flash assist"],
  ];
  return words
    .filter(([flag]) => flag !== except && moments.some(({ flags }) => flags.includes(flag)))
    .map(([, word]) => word);
}

/** Flags of several kills: "two through smoke". */
function flagCounts({ moments }: FoundHighlight, except?: KillFlag): string[] {
  const kills = moments.filter((moment) => moment.kind === "kill");
  const words: [KillFlag, singular: string, plural: string][] = [
    ["headshot", "headshot", "headshots"],
    ["wallbang", "through a wall", "through walls"],
    ["no_scope", "without the scope", "without the scope"],
    ["through_smoke", "through smoke", "through smoke"],
    ["midair", "in mid-air", "in mid-air"],
    ["blind", "while blind", "while blind"],
  ];
  return words.flatMap(([flag, singular, several]) => {
    const count = kills.filter((kill) => kill.flags.includes(flag)).length;
    if (count === 0 || flag === except) return [];
    if (count === kills.length && count > 1) return [`all ${several}`];
    return [`${numberWord(count)} ${count === 1 ? singular : several}`];
  });
}

function plural(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

function numberWord(count: number): string {
  return numberWords[count] ?? String(count);
}

function join(...parts: string[]): string {
  return parts.filter(Boolean).join(", ");
}
