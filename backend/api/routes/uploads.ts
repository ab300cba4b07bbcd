import { apiRoutes } from "../../../contract/api-routes.ts";
import { requireDiskRoom } from "../../accounts/disk-quota.ts";
import { importUploadInParts } from "../../matches/create-match.ts";
import { checkImportRoom } from "../../matches/import-quota.ts";
import {
  beginUpload,
  endUpload,
  hasPart,
  ownUpload,
  partLength,
  storePart,
  uploadState,
} from "../../matches/uploads-in-parts.ts";
import { implementRoutes } from "../implement-routes.ts";
import { noDiskSpace, takeUploadPlace, tooLarge } from "../receive-demo-file.ts";
import { receivePart } from "../receive-part.ts";
import { importAnswer } from "./import-answer.ts";

/** Demo files in parts. Decision 175. */
export const uploadRoutes = implementRoutes(apiRoutes.uploads, {
  begin: async (c, { user, body: { file_name: fileName, bytes }, reply }) => {
    const services = c.get("services");
    const { MAX_DOWNLOAD_BYTES } = services.config;
    if (bytes > MAX_DOWNLOAD_BYTES) throw tooLarge(MAX_DOWNLOAD_BYTES, "bytes");
    await checkImportRoom(services, user);
    await requireDiskRoom(services, user.id, bytes);
    if (services.diskSpace.isShort()) throw noDiskSpace();
    const release = await takeUploadPlace(services, user);
    try {
      return reply(201, uploadState(await beginUpload(services, user, { fileName, bytes })));
    } finally {
      await release();
    }
  },

  state: async (c, { user, parameters, reply }) => {
    const services = c.get("services");
    const upload = await ownUpload(services, user.id, parameters.id);
    // Whoever goes on with an upload asks this first: to a store that is away a part would be sent in vain, again and again.
    await services.blobs.probe("visitor");
    return reply(200, uploadState(upload));
  },

  putPart: async (c, { user, parameters: { id, number }, reply }) => {
    const services = c.get("services");
    const upload = await ownUpload(services, user.id, id);
    if (hasPart(upload, number)) return reply(200, uploadState(upload));
    const store = (path: string) => storePart(services, upload, number, path);
    return reply(200, uploadState(await receivePart(services, user, c.req.raw, partLength(upload, number), store)));
  },

  importMatch: async (c, { user, parameters, reply }) => {
    const requested = await importUploadInParts(c.get("services"), user, parameters.id);
    return reply(...(await importAnswer(c, user, requested)));
  },

  remove: async (c, { user, parameters }) => {
    const services = c.get("services");
    await ownUpload(services, user.id, parameters.id);
    await endUpload(services, parameters.id);
    return c.body(null, 204);
  },
});
