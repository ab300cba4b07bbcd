import { lookUp } from "./look-up.ts";

/** Every type of highlight, in the order the selector lists them. Rules: `highlight-definitions.ts`. */
export const highlightTypes = [
  "ace",
  "quad_kill",
  "triple_kill",
  "multi_kill",
  "clutch_1v2",
  "clutch_1v3",
  "clutch_1v4",
  "clutch_1v5",
  "headshot_streak",
  "knife_kill",
  "taser_kill",
  "wallbang",
  "no_scope",
  "through_smoke",
  "midair_kill",
  "one_tap",
  "nade_kill",
  "molly_kill",
  "ninja_defuse",
] as const;

export type HighlightType = (typeof highlightTypes)[number];

/** Beside what is found: what a player marked by hand, which has a name instead of a label. No filter and no list of the best knows it. Decision 134. */
export const storedHighlightTypes = [...highlightTypes, "custom"] as const;

export type StoredHighlightType = (typeof storedHighlightTypes)[number];

const labels: Record<HighlightType, string> = {
  ace: "Ace",
  quad_kill: "Quad Kill",
  triple_kill: "Triple Kill",
  multi_kill: "Multi Kill",
  clutch_1v2: "1v2 Clutch",
  clutch_1v3: "1v3 Clutch",
  clutch_1v4: "1v4 Clutch",
  clutch_1v5: "1v5 Clutch",
  headshot_streak: "Headshot Streak",
  knife_kill: "Knife Kill",
  taser_kill: "Zeus Kill",
  wallbang: "Wallbang",
  no_scope: "No Scope",
  through_smoke: "Through Smoke",
  midair_kill: "Midair Kill",
  one_tap: "One Tap",
  nade_kill: "Nade Kill",
  molly_kill: "Molly Kill",
  ninja_defuse: "Ninja Defuse",
};

/** The label players see; an unknown type shows its raw value. */
export function highlightLabel(type: string): string {
  return lookUp(labels, type) ?? type;
}

/** The type whose label it is; null for other texts. Clips store labels. */
export function highlightTypeOf(label: string): HighlightType | null {
  return highlightTypes.find((type) => labels[type] === label) ?? null;
}

/** The filter categories of the highlight selector. multi_kill and headshot_streak belong to none of the three. */
export const highlightCategories = {
  special: [
    "knife_kill",
    "wallbang",
    "no_scope",
    "through_smoke",
    "midair_kill",
    "taser_kill",
    "ninja_defuse",
    "one_tap",
    "nade_kill",
    "molly_kill",
  ],
  multikill: ["triple_kill", "quad_kill", "ace"],
  clutch: ["clutch_1v2", "clutch_1v3", "clutch_1v4", "clutch_1v5"],
} as const satisfies Record<string, readonly HighlightType[]>;

export type HighlightCategory = keyof typeof highlightCategories;

/** Kinds after which little happens: a clip of only these ends earlier (`postTimeAdjustment`). */
export const simpleHighlightTypes: readonly HighlightType[] = [
  "wallbang",
  "knife_kill",
  "through_smoke",
  "no_scope",
  "midair_kill",
  "taser_kill",
  "one_tap",
  "nade_kill",
  "molly_kill",
];
