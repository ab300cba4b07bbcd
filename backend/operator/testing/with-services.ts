import { readConfig } from "../../config.ts";
import { openServices } from "../../open-services.ts";
import type { Services } from "../../services.ts";

/** The configuration of a place: `DATA_DIR`, or the addresses of a database and a store. */
export const configOf = (place: Record<string, string | undefined>) =>
  readConfig({ NODE_ENV: "test", LOG_LEVEL: "silent", ...place });

/** Runs work with the services of a place, and closes them afterwards. */
export async function withServices<Result>(
  place: Record<string, string | undefined>,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const { services, close } = await openServices(configOf(place));
  try {
    return await work(services);
  } finally {
    await close();
  }
}
