import { type HighlightType, highlightTypeOf } from "../contract/highlight-types.ts";
import { weaponByEventName, weaponName } from "../contract/weapons.ts";
import type { ClipCaption } from "../replay/clip-spec.ts";
import type { PlayerIndex, RecordedDamage, RecordedKill } from "../replay/match-record.ts";
import { headlineText } from "./headline-text.ts";
import type { SegmentTimeline } from "./segment-timeline.ts";

/** A kill or a defuse of the followed player, and what is said about it. */
export interface HeadlinedMoment {
  tick: number;
  /** null: the bomb was defused. */
  kill: RecordedKill | null;
  /** In capitals; null if there is nothing to say but whom it hit. */
  headline: string | null;
  /** Other remarkable facts, the weapon first and the places last; in capitals, except the places. */
  words: string[];
  /** For a kill that completes a highlight, on a line of its own: places, damage, distance. */
  circumstances: string[];
}

/** Types made by a single kill; the rarer come first, for kills of several types. */
const singleKillTypes: readonly HighlightType[] = [
  "knife_kill",
  "taser_kill",
  "midair_kill",
  "no_scope",
  "wallbang",
  "through_smoke",
  "one_tap",
  "nade_kill",
  "molly_kill",
];

/** Types made by several kills and completed by the last; completed ones come first, then the rarer. */
const countedTypes: readonly HighlightType[] = ["ace", "quad_kill", "triple_kill", "multi_kill", "headshot_streak"];

const fullHealth = 100;

const counts = ["", "", "DOUBLE KILL", "TRIPLE KILL", "QUAD KILL"];

/**
 * What the clip says at each kill and defuse of its player, according to the clip's highlights. A kill that completes one gets its
 * name; one on the way there is counted; one that belongs to none has no headline.
 */
export function headlinedMoments(timeline: SegmentTimeline): HeadlinedMoment[] {
  const { segment } = timeline;
  const own = segment.captions.filter((caption) => caption.player === segment.player);
  const kills = timeline.kills
    .filter((kill) => kill.attacker === segment.player && !timeline.isTeammate(kill.attacker, kill.victim))
    .map((kill) => ofKill(kill, own, timeline));
  const killTicks = new Set(kills.map(({ tick }) => tick));
  const defuses = timeline.bomb
    .filter(({ kind, player, tick }) => kind === "defused" && player === segment.player && !killTicks.has(tick))
    .filter(({ tick }) => own.some(({ momentTicks }) => momentTicks.includes(tick)))
    .map(({ tick, hasKit }) => ofDefuse(tick, hasKit, own));
  return [...kills, ...defuses].sort((a, b) => a.tick - b.tick);
}

/** The places of killer and victim: "Apartments to Palace"; one name if both are at the same place. */
function placesOf({ attackerPosition, victimPosition }: RecordedKill, timeline: SegmentTimeline): string | null {
  const from = attackerPosition && timeline.placeAt(attackerPosition);
  const to = victimPosition && timeline.placeAt(victimPosition);
  return from && to && from !== to ? `${from} to ${to}` : to;
}

/**
 * The killer's damage to the victim, including the kill: "98 in 2 hits"; null if the demo records no hit. A killing shot counts only
 * the health that was left, since demos record what it could have taken.
 */
function damageOf({ attacker, victim, tick }: RecordedKill, timeline: SegmentTimeline): string | null {
  const suffered = sufferedBy(victim, tick, timeline);
  const taken = suffered.map((hit, i) =>
    hit.attacker === attacker ? Math.min(hit.health, suffered[i - 1]?.healthAfter ?? fullHealth) : 0,
  );
  const hits = taken.filter((health) => health > 0);
  const health = hits.reduce((sum, one) => sum + one, 0);
  return health > 0 ? `${health} in ${hits.length} ${hits.length === 1 ? "hit" : "hits"}` : null;
}

/** What a player suffered up to a tick since they last had full health, however early in the round that was. */
function sufferedBy(player: PlayerIndex, tick: number, { record, round, kills }: SegmentTimeline): RecordedDamage[] {
  // A player who took over a bot can die a second time.
  const deaths = kills.filter((kill) => kill.victim === player && kill.tick < tick).map((kill) => kill.tick);
  const since = Math.max(round?.startTick ?? Number.NEGATIVE_INFINITY, ...deaths.map((death) => death + 1));
  const hits = record.damages.filter(
    (hit) => hit.victim === player && hit.tick >= since && hit.tick <= tick && hit.health > 0,
  );
  const wasFull = hits.map(({ health, healthAfter }) => healthAfter > 0 && health + healthAfter >= fullHealth);
  return hits.slice(Math.max(0, wasFull.lastIndexOf(true)));
}

/** In metres, as in the game; null if it is too short to mention, and for fire, whose thrower may be far away by then. */
function distanceOf({ distance, weapon }: RecordedKill): string | null {
  return distance >= 1 && weapon !== "inferno" ? `${Math.round(distance)} m` : null;
}

function ofKill(kill: RecordedKill, captions: readonly ClipCaption[], timeline: SegmentTimeline): HeadlinedMoment {
  const isFirstOfRound = timeline.kills[0] === kill;
  const about = captions.filter(({ momentTicks }) => momentTicks.includes(kill.tick));
  const singles = singleKillTypes
    .map((type) => about.find(({ label }) => highlightTypeOf(label) === type))
    .filter((caption) => caption !== undefined);
  const ofSeveral = countedTypes.flatMap((type) => about.filter(({ label }) => highlightTypeOf(label) === type));
  const counted = ofSeveral.find(({ momentTicks }) => momentTicks.at(-1) === kill.tick) ?? ofSeveral[0];
  const flags = killFlags(kill);
  const said = singles.map(({ label }) => headlineText(label));
  let headline = said[0] ?? null;
  if (counted) {
    // Two victims of one bullet share a tick: at the first of them both are dead.
    const place = counted.momentTicks.lastIndexOf(kill.tick) + 1;
    const remarkable = flags.find((flag) => flag !== "HEADSHOT") ?? (isFirstOfRound ? "FIRST BLOOD" : null);
    if (place === counted.momentTicks.length) headline = headlineText(counted.label);
    else headline ??= place === 1 ? remarkable : (counts[place] ?? null);
  }
  const isSaid = (word: string) => word === headline || word === "HEADSHOT";
  const words = [...new Set([...said, ...flags])].filter((word) => !isSaid(word) && !isSameAs(word, headline));
  if (kill.headshot) words.push("HEADSHOT");
  const places = placesOf(kill, timeline);
  const isDecisive = about.some(({ momentTicks }) => momentTicks.at(-1) === kill.tick);
  if (places && !isDecisive) words.push(places);
  const circumstances = isDecisive ? [places, damageOf(kill, timeline), distanceOf(kill)] : [];
  return {
    tick: kill.tick,
    kill,
    headline,
    words: [shortWeaponName(kill.weapon), ...words],
    circumstances: circumstances.filter((word) => word !== null),
  };
}

function ofDefuse(tick: number, hasKit: boolean, captions: readonly ClipCaption[]): HeadlinedMoment {
  const ninja = captions.find(
    ({ label, momentTicks }) => highlightTypeOf(label) === "ninja_defuse" && momentTicks.includes(tick),
  );
  return {
    tick,
    kill: null,
    headline: ninja ? headlineText(ninja.label) : "BOMB DEFUSED",
    words: [hasKit ? "Defuse kit" : "Without a kit", ...(ninja ? ["BOMB DEFUSED"] : [])],
    circumstances: [],
  };
}

/** Whether a word repeats the headline: a type and its flag are the same, and "NO SCOPE" needs no second "NO SCOPE". */
function isSameAs(word: string, headline: string | null): boolean {
  return headline?.startsWith(word) ?? false;
}

/** What is remarkable about a kill, in words that begin like the types' labels. */
function killFlags(kill: RecordedKill): string[] {
  const flags: string[] = [];
  if (kill.noScope) flags.push("NO SCOPE");
  if (kill.penetrated > 0) flags.push("WALLBANG");
  if (kill.throughSmoke) flags.push("THROUGH SMOKE");
  if (kill.attackerInAir) flags.push("MIDAIR");
  if (kill.attackerBlind) flags.push("BLIND");
  if (kill.headshot) flags.push("HEADSHOT");
  return flags;
}

/** The weapon as players call it: a knife by its own name, the two default ones "Knife", both fire grenades "Fire". */
function shortWeaponName(event: string): string {
  if (event === "inferno") return "Fire";
  const name = weaponName(event);
  return weaponByEventName(event)?.category === "knife" ? name.replace(/ \(.*\)$/, "") : name;
}
