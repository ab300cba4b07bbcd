import type { MatchRecord, PlayerIndex, RecordedDeath, RecordedRound, TeamIndex } from "./match-record.ts";

/**
 * Who is alive when in a round. The unit is the body, not the person: a dead person can take over a bot's body and
 * die a second time; the body that is lost then is the bot's.
 */
export interface RoundLives {
  /** Bodies of both rosters that were alive in the live part of the round. */
  bodies: [PlayerIndex[], PlayerIndex[]];
  /** In tick order, at most one per body. */
  losses: LostLife[];
}

interface LostLife {
  tick: number;
  body: PlayerIndex;
  /** The person who was in it: the body's own, or whoever had taken it over. */
  player: PlayerIndex;
  team: TeamIndex;
}

/** Whether a tick is in the live part of a round: after freeze time, up to and including the tick of `round_end`. */
export function isLive(round: RecordedRound, tick: number): boolean {
  return tick > round.freezeEndTick && tick <= round.endTick;
}

/**
 * Works out the lives of a round from the players alive at freeze end and every later death of any cause.
 * A player who was not alive at freeze end but fights or dies afterwards joined late, and counts as alive until they die.
 */
export function roundLives(record: MatchRecord, round: RecordedRound): RoundLives {
  const bodies: RoundLives["bodies"] = [[...round.aliveAtFreezeEnd[0]], [...round.aliveAtFreezeEnd[1]]];
  for (const player of lateJoiners(record, round)) bodies[rosterOf(record, player)!].push(player);

  const losses: LostLife[] = [];
  const isLost = (body: PlayerIndex) => losses.some((loss) => loss.body === body);
  for (const death of inOrder(deathsOf(record, round), bodies)) {
    const { tick, player } = death;
    const team = bodies[0].includes(player) ? 0 : bodies[1].includes(player) ? 1 : rosterOf(record, player);
    if (team === null) continue;
    if (bodies[team].includes(player) && !isLost(player)) {
      losses.push({ tick, body: player, player, team });
      continue;
    }
    if (losses.some((loss) => loss.player === player && loss.tick === tick)) continue;
    const takenOver = bodies[team].find((body) => record.players[body]?.isBot && !isLost(body));
    // A dead person who leaves takes no life with them: the bot they may have controlled goes on by itself.
    if (takenOver !== undefined && death.cause !== "disconnect") losses.push({ tick, body: takenOver, player, team });
  }
  return { bodies, losses };
}

/** The bodies of a roster still alive after everything that happened up to and including a tick. */
export function livingAfter(lives: RoundLives, team: TeamIndex, tick: number): PlayerIndex[] {
  return lives.bodies[team].filter((body) => !lives.losses.some((loss) => loss.body === body && loss.tick <= tick));
}

/** The moment when a team had one body left: which body, and against how many. */
interface LastStand {
  tick: number;
  body: PlayerIndex;
  /** Who plays the body: its own player, the person who took over the bot, or nobody whom we would name (null). */
  player: PlayerIndex | null;
  opponents: number;
}

/**
 * A team's last stand, judged after everything that happened in a tick; null if it had none, or if nobody knows who was
 * left.
 */
export function lastStand(
  record: MatchRecord,
  round: RecordedRound,
  lives: RoundLives,
  team: TeamIndex,
): LastStand | null {
  if (round.unclearLives) return null;
  const ticks = [round.freezeEndTick, ...lives.losses.filter((loss) => loss.team === team).map((loss) => loss.tick)];
  for (const tick of ticks) {
    const [body, ...others] = livingAfter(lives, team, tick);
    if (body === undefined || others.length > 0) continue;
    const opponents = livingAfter(lives, team === 0 ? 1 : 0, tick).length;
    return { tick, body, player: personIn({ record, round, lives, team }, body, tick), opponents };
  }
  return null;
}

function personIn(
  { record, round, lives, team }: { record: MatchRecord; round: RecordedRound; lives: RoundLives; team: TeamIndex },
  body: PlayerIndex,
  after: number,
): PlayerIndex | null {
  if (!record.players[body]?.isBot) return body;
  const isPersonOfTeam = (player: PlayerIndex | null): player is PlayerIndex =>
    player !== null && record.players[player]?.team === team && !record.players[player].isBot;
  const acts = [
    ...lives.losses.filter((loss) => loss.body === body),
    ...record.kills
      .filter((kill) => kill.attackerControlsBot && isLive(round, kill.tick))
      .map(({ tick, attacker }) => ({ tick, player: attacker })),
    ...record.bomb.filter((event) => event.kind === "defused" && isLive(round, event.tick)),
  ];
  const ownActs = acts.filter((act) => act.tick > after && isPersonOfTeam(act.player));
  return ownActs.sort((a, b) => a.tick - b.tick)[0]?.player ?? null;
}

function deathsOf(record: MatchRecord, round: RecordedRound): RecordedDeath[] {
  return record.deaths.filter((death) => isLive(round, death.tick));
}

/**
 * Deaths by tick. Within a tick, players who die in their own body come first; the remaining bodies are then assigned to those who
 * can only have died in a bot's, so that nobody is assigned a body that was lost without a player.
 */
function inOrder(deaths: readonly RecordedDeath[], bodies: RoundLives["bodies"]): RecordedDeath[] {
  const firstTicks = new Map<PlayerIndex, number>();
  for (const { tick, player } of deaths) firstTicks.set(player, Math.min(tick, firstTicks.get(player) ?? tick));
  const inBorrowedBody = ({ tick, player }: RecordedDeath) =>
    Number(tick !== firstTicks.get(player) || !bodies.some((roster) => roster.includes(player)));
  return deaths
    .map((death) => ({ death, borrowed: inBorrowedBody(death) }))
    .sort(
      ({ death: a, borrowed: aBorrowed }, { death: b, borrowed: bBorrowed }) =>
        a.tick - b.tick || aBorrowed - bBorrowed || a.player - b.player || a.cause.localeCompare(b.cause),
    )
    .map(({ death }) => death);
}

/** The roster that a player was on in a round: players who change teams in a match have another one in some rounds. */
export function teamInRound(record: MatchRecord, round: RecordedRound, player: PlayerIndex): TeamIndex | null {
  const [first, second] = round.aliveAtFreezeEnd;
  if (first.includes(player)) return 0;
  return second.includes(player) ? 1 : rosterOf(record, player);
}

function rosterOf(record: MatchRecord, player: PlayerIndex): TeamIndex | null {
  return record.players[player]?.team ?? null;
}

function lateJoiners(record: MatchRecord, round: RecordedRound): PlayerIndex[] {
  const joined = new Set<PlayerIndex>();
  const consider = (player: PlayerIndex | null) => {
    if (player === null || rosterOf(record, player) === null) return;
    const [first, second] = round.aliveAtFreezeEnd;
    if (!first.includes(player) && !second.includes(player)) joined.add(player);
  };
  for (const { tick, attacker, attackerSide, attackerControlsBot } of record.kills)
    if (isLive(round, tick) && attackerSide !== null && !attackerControlsBot) consider(attacker);
  for (const shot of record.shots) if (isLive(round, shot.tick) && !shot.controlsBot) consider(shot.player);
  for (const death of record.deaths)
    if (isLive(round, death.tick) && death.cause !== "disconnect") consider(death.player);
  return [...joined].filter((player) => !fightsInBotsBody(record, round, player)).sort((a, b) => a - b);
}

/** Whether a person who came too late for a body of their own plays a bot's: before taking one over they can do nothing. */
function fightsInBotsBody(record: MatchRecord, round: RecordedRound, player: PlayerIndex): boolean {
  const kills = record.kills.filter((kill) => kill.attacker === player && isLive(round, kill.tick));
  const shots = record.shots.filter((shot) => shot.player === player && isLive(round, shot.tick));
  const first = shots.find(({ controlsBot }) => controlsBot)?.tick;
  // Older records have this only for kills.
  if (first === undefined) return kills.some(({ attackerControlsBot }) => attackerControlsBot);
  const inOwn = [
    ...shots.filter(({ controlsBot }) => !controlsBot),
    ...kills.filter(({ attackerControlsBot }) => !attackerControlsBot),
  ];
  return !inOwn.some(({ tick }) => tick < first);
}
