import type { Config } from "../config.ts";

/** Whether an account is one of OPERATOR_STEAM_IDS. */
export function isOperator({ OPERATOR_STEAM_IDS }: Pick<Config, "OPERATOR_STEAM_IDS">, steamId: string): boolean {
  return OPERATOR_STEAM_IDS.includes(steamId);
}
