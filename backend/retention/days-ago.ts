import type { Services } from "../services.ts";

const dayMs = 24 * 3600_000;

/** The time this many days ago. */
export function daysAgo(services: Pick<Services, "now">, days: number): Date {
  return new Date(services.now().getTime() - days * dayMs);
}
