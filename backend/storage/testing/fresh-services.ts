import { rmSync } from "node:fs";
import type { TestPostgres } from "../../../tests/services/postgres.ts";
import { readConfig } from "../../config.ts";
import { openServices } from "../../open-services.ts";
import type { Services } from "../../services.ts";
import { migratedPlace, postgresPlace } from "./fresh-database.ts";

export interface FreshServices {
  services: Services;
  /** Closes them and removes their files. */
  remove(): Promise<void>;
}

/**
 * Real services on an empty database: queue, blobs in a folder, scratch folder.
 * @param kind a `TestPostgres` for the test's own server, which it may stop
 * @param environment as for the server, e.g. `{ IMPORTS_PER_DAY: "2" }`
 */
export async function freshServices(
  kind: "embedded" | "postgres" | TestPostgres = "embedded",
  environment: Record<string, string> = {},
): Promise<FreshServices> {
  const { DATA_DIR, DATABASE_URL } =
    typeof kind === "string" ? await migratedPlace(kind) : postgresPlace(await kind.createDatabase());
  const config = readConfig({ NODE_ENV: "test", LOG_LEVEL: "silent", ...environment, DATA_DIR, DATABASE_URL });
  const { services, close } = await openServices(config);
  return {
    services,
    async remove() {
      await close();
      rmSync(DATA_DIR, { recursive: true, force: true });
    },
  };
}
