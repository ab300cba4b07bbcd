import type { TopListName } from "../../contract/schemas/clip-lists.ts";

/** The home page's carousels in their order. */
export const topListOrder: readonly { name: TopListName; title: string; icon: string }[] = [
  { name: "newest", title: "Newest Clips", icon: "clock" },
  { name: "most_viewed", title: "Most Viewed", icon: "eye" },
  { name: "most_liked", title: "Most Liked", icon: "heart-full" },
  { name: "best_clutches", title: "Best Clutches", icon: "clutch_1v3" },
  { name: "best_multikills", title: "Best Multikills", icon: "ace" },
  { name: "best_zeus_knife", title: "Best Melee Kills", icon: "knife_kill" },
  { name: "best_noscopes", title: "Best Special Kills", icon: "no_scope" },
  { name: "best_one_taps", title: "Best One Taps", icon: "one_tap" },
  { name: "best_ninja_defuses", title: "Best Ninja Defuses", icon: "ninja_defuse" },
];

export type { TopListName };
