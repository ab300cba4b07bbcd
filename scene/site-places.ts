import type { MatchRecord } from "../replay/match-record.ts";

/** Where bombs were planted in this match: the middle of all plants at a site. */
export function sitePlaces(record: MatchRecord): { site: "A" | "B"; x: number; y: number; z: number }[] {
  return (["A", "B"] as const).flatMap((site) => {
    const plants = record.bomb.filter((event) => event.kind === "planted" && event.site === site && event.position);
    if (plants.length === 0) return [];
    const mean = (axis: 0 | 1 | 2) => plants.reduce((sum, plant) => sum + plant.position![axis], 0) / plants.length;
    return [{ site, x: mean(0), y: mean(1), z: mean(2) }];
  });
}
