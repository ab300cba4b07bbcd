/**
 * A match according to the independent analyzer `@akiver/cs-demo-analyzer`, in the compared fields. SteamIDs are strings; "0" is a bot, the
 * world or nobody.
 */
export interface AnalyzerMatch {
  map: string;
  rounds: AnalyzerRound[];
  kills: AnalyzerKill[];
  clutches: AnalyzerClutch[];
  defuses: AnalyzerDefuse[];
  /** null if there is only the summary of an analysis. */
  shots: AnalyzerShot[] | null;
  damages: AnalyzerDamage[] | null;
}

export interface AnalyzerRound {
  number: number;
  startTick: number;
  freezeEndTick: number;
  endTick: number;
  overtime: number;
  /** 2 terrorists, 3 counter-terrorists. */
  winnerSide: number;
  /** RoundEndReason_t of the game. */
  endReason: number;
}

export interface AnalyzerKill {
  tick: number;
  round: number;
  /** Display name. */
  weapon: string;
  attacker: string;
  victim: string;
  assister: string;
  attackerSide: number;
  victimSide: number;
  headshot: boolean;
  penetrated: number;
  throughSmoke: boolean;
  noScope: boolean;
  attackerInAir: boolean;
  attackerBlind: boolean;
}

export interface AnalyzerClutch {
  round: number;
  tick: number;
  player: string;
  opponents: number;
  won: boolean;
}

export interface AnalyzerDefuse {
  round: number;
  tick: number;
  player: string;
  terroristsAlive: number;
}

export interface AnalyzerShot {
  tick: number;
  player: string;
  weapon: string;
}

export interface AnalyzerDamage {
  tick: number;
  attacker: string;
  victim: string;
  healthBefore: number;
}

/** Reads the analyzer's JSON export (not minified: its SteamIDs are found by line). */
export function readAnalyzerExport(text: string): AnalyzerMatch {
  const json = JSON.parse(steamIdsAsStrings(text));
  return {
    map: json.mapName,
    rounds: json.rounds.map((round: Record<string, number>) => ({
      number: round.number,
      startTick: round.startTick,
      freezeEndTick: round.freezeTimeEndTick,
      endTick: round.endTick,
      overtime: round.overtimeNumber,
      winnerSide: round.winnerSide,
      endReason: round.endReason,
    })),
    // biome-ignore lint/suspicious/noExplicitAny: the analyzer publishes no type of its export
    kills: json.kills.map((kill: any) => ({
      tick: kill.tick,
      round: kill.roundNumber,
      weapon: kill.weaponName,
      attacker: kill.killerSteamId,
      victim: kill.victimSteamId,
      assister: kill.assisterSteamId,
      attackerSide: kill.killerSide,
      victimSide: kill.victimSide,
      headshot: kill.isHeadshot,
      penetrated: kill.penetratedObjects,
      throughSmoke: kill.isThroughSmoke,
      noScope: kill.isNoScope,
      attackerInAir: kill.is_killer_airborne,
      attackerBlind: kill.is_killer_blinded,
    })),
    // biome-ignore lint/suspicious/noExplicitAny: as above
    clutches: json.clutches.map((clutch: any) => ({
      round: clutch.roundNumber,
      tick: clutch.tick,
      player: clutch.clutcherSteamId,
      opponents: clutch.opponentCount,
      won: clutch.hasWon,
    })),
    // biome-ignore lint/suspicious/noExplicitAny: as above
    defuses: json.bombsDefused.map((defuse: any) => ({
      round: defuse.roundNumber,
      tick: defuse.tick,
      player: defuse.defuserSteamId,
      terroristsAlive: defuse.terroristAliveCount,
    })),
    // biome-ignore lint/suspicious/noExplicitAny: as above
    shots: json.shots.map((shot: any) => ({ tick: shot.tick, player: shot.playerSteamId, weapon: shot.weaponName })),
    // biome-ignore lint/suspicious/noExplicitAny: as above
    damages: json.damages.map((damage: any) => ({
      tick: damage.tick,
      attacker: damage.attackerSteamId,
      victim: damage.victimSteamId,
      healthBefore: damage.victimHealth,
    })),
  };
}

/** The export writes SteamIDs as bare numbers, which JavaScript rounds: they are above 2^53. */
function steamIdsAsStrings(text: string): string {
  return text.replace(/^(\s*"\w*[sS]teamId": )(\d+)/gm, '$1"$2"');
}

/** Reads the summary of an analysis from beside a demo of the tests (`match-….expected.json`). */
export function readAnalyzerSummary(text: string): AnalyzerMatch {
  const json = JSON.parse(text);
  return {
    map: json.map,
    rounds: json.rounds.map((round: Record<string, number>) => ({
      number: round.number,
      startTick: round.startTick,
      freezeEndTick: round.freezeTimeEndTick,
      endTick: round.endTick,
      overtime: round.overtimeNumber,
      winnerSide: round.winnerSide,
      endReason: round.endReason,
    })),
    kills: json.kills,
    clutches: json.clutches,
    defuses: json.defuses,
    shots: null,
    damages: null,
  };
}
