import { z } from "zod";
import { describeRoute } from "../api-route.ts";
import { beginUploadSchema, uploadIdPattern, uploadStateSchema } from "../schemas/uploads.ts";
import { newMatchAnswers, newMatchErrors } from "./matches.ts";

const uploadParameters = z.object({ id: z.string().max(24).regex(uploadIdPattern) });

const partParameters = uploadParameters.extend({
  number: z
    .string()
    .max(5)
    .regex(/^[1-9]\d{0,4}$/)
    .transform(Number),
});

const placesTaken = { description: "Two of the player's uploads are under way", code: "upload_limit" } as const;

/** Demo files that come in parts, and go on after a lost connection with the part that is missing. Decision 175. */
export const uploads = {
  begin: describeRoute({
    method: "post",
    path: "/api/matches/uploads/",
    summary: "Begin to upload a demo file in parts",
    description:
      "For files of any size; those of one part are simpler to send by `upload-file`. A player's fifth unfinished upload ends the one that was left alone longest. Unfinished ones end a day after their last part.",
    tag: "Matches",
    access: "signed-in",
    token: "import",
    body: beginUploadSchema,
    answers: { 201: { description: "The upload, of which nothing is here", schema: uploadStateSchema } },
    errors: {
      409: newMatchErrors[409],
      413: [{ description: "The file is too large", code: "file_too_large" }],
      429: [...newMatchErrors[429], placesTaken],
    },
  }),
  state: describeRoute({
    method: "get",
    path: "/api/matches/uploads/:id/",
    summary: "How much of an upload is here",
    description: "To be asked before a part is sent again: 503 while the server could not store it.",
    tag: "Matches",
    access: "signed-in",
    token: "import",
    parameters: uploadParameters,
    answers: { 200: { description: "The upload", schema: uploadStateSchema } },
  }),
  putPart: describeRoute({
    method: "put",
    path: "/api/matches/uploads/:id/parts/:number/",
    summary: "Send a part of an upload",
    description:
      "Parts are numbered from 1 and sent in order, each of exactly `part_bytes`, the last one of the rest. A part that is here already is answered without being read, so that one whose answer was lost can be sent again.",
    tag: "Matches",
    access: "signed-in",
    token: "import",
    parameters: partParameters,
    rawBodyType: "application/octet-stream",
    answers: { 200: { description: "The upload with this part", schema: uploadStateSchema } },
    errors: {
      400: [
        { description: "The part is not as long as it has to be", code: "part_length" },
        { description: "The part was cut off", code: "upload_cut_off" },
        { description: "The part came too slowly", code: "upload_too_slow" },
        { description: "The body came too slowly", code: "body_too_slow" },
      ],
      409: [{ description: "Another part is the next one", code: "part_out_of_order" }],
      413: [{ description: "The part is too large", code: "body_too_large" }],
      429: [placesTaken],
    },
  }),
  importMatch: describeRoute({
    method: "post",
    path: "/api/matches/uploads/:id/import/",
    summary: "Import a match from an upload of which everything is here",
    description: "Called again, it answers with the same match.",
    tag: "Matches",
    access: "signed-in",
    token: "import",
    parameters: uploadParameters,
    answers: newMatchAnswers,
    errors: {
      404: newMatchErrors[404],
      409: [...newMatchErrors[409], { description: "Parts are missing", code: "upload_incomplete" }],
      429: newMatchErrors[429],
    },
  }),
  remove: describeRoute({
    method: "delete",
    path: "/api/matches/uploads/:id/",
    summary: "Cancel an upload: what is here of it is deleted",
    description: "The match of an upload that was imported stays.",
    tag: "Matches",
    access: "signed-in",
    token: "import",
    parameters: uploadParameters,
    answers: { 204: { description: "Deleted" } },
  }),
};
