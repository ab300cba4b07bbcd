/** What a demo reveals about its game mode. */
export interface GameModeFacts {
  serverName: string;
  /** Whether the server is one of Valve's, according to the game rules. */
  isValveServer: boolean;
  /** `m_iCompetitiveRankType` of the players, without -1 and 0. */
  rankTypes: readonly number[];
  /** Server variables in the recording. */
  serverVariables: ReadonlyMap<string, string>;
  /** The most players on a side at any end of freeze time. */
  playersASide: number;
}

/** `m_iCompetitiveRankType`. Source: the rank types of CS Demo Manager (akiver/cs-demo-manager, MIT). */
const modeOfRankType: Record<number, string> = {
  7: "Matchmaking_Wingman",
  11: "Matchmaking",
  12: "Matchmaking_Competitive",
};

/** Platforms put their name into the names of their servers. */
const platforms: readonly [RegExp, string][] = [
  [/faceit/i, "FACEIT"],
  [/renown/i, "Renown"],
  [/\besea\b/i, "ESEA"],
  [/esportal/i, "Esportal"],
  [/gamers ?club/i, "Gamers Club"],
  [/\b5e\s*play|\b5eplay/i, "5EPlay"],
  [/perfect ?world|完美/i, "Perfect World"],
  [/challengermode/i, "Challengermode"],
  [/\bpopflash/i, "PopFlash"],
  [/\besl\b/i, "ESL"],
  [/blast/i, "BLAST"],
];

/** `game_type` and `game_mode` server variables. Source: gamemodes.txt of the game. */
const modeOfVariables: Record<string, string> = {
  "0/0": "Casual",
  "0/1": "Competitive",
  "0/2": "Wingman",
  "1/0": "Arms Race",
  "1/2": "Deathmatch",
};

/**
 * The raw game mode as specified: `Matchmaking` (Premier), `Matchmaking_Competitive` and `Matchmaking_Wingman` for Valve's matchmaking;
 * otherwise the platform, or the mode by its usual name.
 */
export function gameMode(facts: GameModeFacts): string {
  const ranked = mostFrequent(facts.rankTypes.filter((type) => type in modeOfRankType));
  const onValve = facts.isValveServer || /^valve\b/i.test(facts.serverName);
  if (ranked !== null && onValve) return modeOfRankType[ranked]!;

  const platform = platforms.find(([name]) => name.test(facts.serverName));
  if (platform) return platform[1];

  const type = facts.serverVariables.get("game_type");
  const mode = facts.serverVariables.get("game_mode");
  const named = modeOfVariables[`${type ?? "0"}/${mode ?? ""}`];
  if (named) return onValve && type !== "1" && named !== "Casual" ? valveMode(named) : named;

  if (facts.playersASide > 0 && facts.playersASide <= 2) return onValve ? "Matchmaking_Wingman" : "Wingman";
  if (facts.playersASide > 5) return "Casual";
  return onValve ? "Matchmaking_Competitive" : "Competitive";
}

function valveMode(named: string): string {
  return named === "Wingman" ? "Matchmaking_Wingman" : "Matchmaking_Competitive";
}

function mostFrequent(values: readonly number[]): number | null {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: number | null = null;
  let max = 0;
  for (const [value, count] of counts) {
    if (count <= max) continue;
    best = value;
    max = count;
  }
  return best;
}
