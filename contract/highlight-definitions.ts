import { type HighlightType, highlightLabel, highlightTypes, type StoredHighlightType } from "./highlight-types.ts";

export interface HighlightDefinition {
  label: string;
  /** What makes one, in a sentence for players. */
  rule: string;
}

const rules: Record<StoredHighlightType, string> = {
  ace: "One player kills every opponent who was alive when freeze time ended, at least five.",
  quad_kill: "Exactly four kills by one player in a round.",
  triple_kill: "Exactly three kills by one player in a round.",
  multi_kill: "Exactly two kills by one player in a round, at most two seconds apart.",
  clutch_1v2: "The last living player of a team faces two opponents, and the team wins the round.",
  clutch_1v3: "The last living player of a team faces three opponents, and the team wins the round.",
  clutch_1v4: "The last living player of a team faces four opponents, and the team wins the round.",
  clutch_1v5: "The last living player of a team faces five opponents, and the team wins the round.",
  headshot_streak: "At least three kills in a row in one round, all of them headshots.",
  knife_kill: "A kill with a knife.",
  taser_kill: "A kill with the Zeus.",
  wallbang: "A kill through a wall or another object.",
  no_scope: "A kill with a sniper rifle without looking through the scope.",
  through_smoke: "A kill through smoke.",
  midair_kill: "A kill while the attacker is in the air.",
  one_tap:
    "A headshot kill by rifle, pistol, SMG or machine gun on an opponent at full health, with the first bullet for at least a second.",
  nade_kill: "A kill with an HE grenade, or by hitting an opponent directly with any other grenade.",
  molly_kill: "A kill with fire.",
  ninja_defuse: "The bomb is defused while at least one terrorist is alive.",
  custom: "A moment that a player marked by hand.",
};

/** Label and rule of every type, for the page that explains them and for tooltips. */
export const highlightDefinitions = Object.fromEntries(
  highlightTypes.map((type) => [type, { label: highlightLabel(type), rule: rules[type] }]),
) as Record<HighlightType, HighlightDefinition>;

/** The rule of a type; "" for one this version does not know. */
export function highlightDefinition(type: string): string {
  return rules[type as StoredHighlightType] ?? "";
}
