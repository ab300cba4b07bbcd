/** A worker machine as a process: takes jobs until it is ended. Sends "ready" to its parent once it does. */
import { readConfig } from "../../backend/config.ts";
import { openServices } from "../../backend/open-services.ts";
import { startWorkers } from "../../backend/start-workers.ts";

const { services } = await openServices(readConfig(process.env));
await startWorkers(services);
process.send?.("ready");
