import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { apiRoutes } from "../../../contract/api-routes.ts";
import type { Readiness } from "../../../contract/routes/operation.ts";
import { isPrivateAddress } from "../../http/client-address.ts";
import type { Services } from "../../services.ts";
import { DiskFullError } from "../../storage/disk-full.ts";
import { findFfmpeg } from "../../video/ffmpeg.ts";
import { deadlines } from "../../waits/deadlines.ts";
import { untilAborted } from "../../waits/until-aborted.ts";
import { ApiError } from "../api-error.ts";
import type { ApiMetrics } from "../api-metrics.ts";
import { implementRoutes, type Route } from "../implement-routes.ts";

/** Probes come every few seconds from several sources: a result is reused for this long. */
const checkedForMs = 5000;

/** For load balancers and monitoring. */
export function healthRoutes(metrics: ApiMetrics): Route[] {
  // Remembered once found: each check starts a process.
  let encoderFound = false;
  const findEncoder = async ({ config }: Services) => {
    if (encoderFound || config.ROLE === "web") return;
    await findFfmpeg({ configured: config.FFMPEG_PATH });
    encoderFound = true;
  };
  // One at a time: a store that does not answer for minutes is not asked again meanwhile.
  let storing: Promise<void> | null = null;
  const tryStorage = (services: Services) => {
    storing ??= writeProbe(services).finally(() => {
      storing = null;
    });
    return storing;
  };
  let last: { readiness: Promise<Readiness>; until: number } | null = null;
  return implementRoutes(apiRoutes.operation, {
    health: (_c, { reply }) => reply(200, { status: "ok" }),

    readiness: async (c, { reply }) => {
      const now = c.get("services").now().getTime();
      if (!last || last.until < now) {
        last = { readiness: checkReadiness(c.get("services"), { findEncoder, tryStorage }), until: now + checkedForMs };
      }
      const readiness = await last.readiness;
      return reply(readiness.status === "ready" ? 200 : 503, readiness);
    },

    metrics: async (c) => {
      const { config } = c.get("services");
      const isForwarded = c.req.header("x-forwarded-for") !== undefined || c.req.header("forwarded") !== undefined;
      if ((isForwarded && !config.TRUST_PROXY) || !isPrivateAddress(c.get("clientAddress"))) {
        throw ApiError.nothingHere();
      }
      return c.body(await metrics.text(), 200, { "Content-Type": metrics.contentType });
    },
  });
}

async function checkReadiness(
  services: Services,
  { findEncoder, tryStorage }: Record<"findEncoder" | "tryStorage", (services: Services) => Promise<void>>,
): Promise<Readiness> {
  const checks: Readiness["checks"] = {};
  const inTime = AbortSignal.timeout(deadlines.readinessMs);
  const check = async (name: string, attempt: () => Promise<unknown>) => {
    try {
      await untilAborted(attempt(), inTime);
      checks[name] = "ok";
    } catch (error) {
      // Only logged: the reason can name hosts and folders.
      services.log.error({ err: error, check: name }, "not ready");
      checks[name] = "failed";
    }
  };
  await Promise.all([
    check("database", () => sql`SELECT 1`.execute(services.database)),
    check("storage", () => tryStorage(services)),
    check("disk", async () => {
      if (services.diskSpace.isFull()) throw new DiskFullError("The disk of DATA_DIR is full.");
    }),
    check("encoder", () => findEncoder(services)),
  ]);
  return { status: Object.values(checks).every((result) => result === "ok") ? "ready" : "not ready", checks };
}

async function writeProbe({ blobs, scratchDirectory }: Services): Promise<void> {
  const name = `probe-${randomUUID()}`;
  const path = join(scratchDirectory, name);
  const key = `probes/${name}`;
  try {
    await writeFile(path, "probe");
    // Fails fast while the store is unreachable, before any write begins.
    await blobs.probe("visitor");
    try {
      await blobs.putFile(key, path, "text/plain");
      if (!(await blobs.stat(key))) throw new Error("what was stored cannot be read");
    } finally {
      await blobs.delete(key);
    }
  } finally {
    await rm(path, { force: true });
  }
}
