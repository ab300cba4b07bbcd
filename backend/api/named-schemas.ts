import { z } from "zod";
import * as accounts from "../../contract/schemas/accounts.ts";
import * as automation from "../../contract/schemas/automation.ts";
import * as clipLists from "../../contract/schemas/clip-lists.ts";
import * as clips from "../../contract/schemas/clips.ts";
import * as createClip from "../../contract/schemas/create-clip.ts";
import * as errors from "../../contract/schemas/errors.ts";
import * as foundHighlights from "../../contract/schemas/found-highlights.ts";
import * as highlights from "../../contract/schemas/highlights.ts";
import * as imports from "../../contract/schemas/imports.ts";
import * as inGame from "../../contract/schemas/in-game.ts";
import * as matchInfo from "../../contract/schemas/match-info.ts";
import * as matchRounds from "../../contract/schemas/match-rounds.ts";
import * as matches from "../../contract/schemas/matches.ts";
import * as operator from "../../contract/schemas/operator.ts";
import * as site from "../../contract/schemas/site.ts";
import * as tokens from "../../contract/schemas/tokens.ts";
import * as uploads from "../../contract/schemas/uploads.ts";
import * as webhookMessages from "../../contract/schemas/webhook-messages.ts";
import * as webhooks from "../../contract/schemas/webhooks.ts";

const modules = [
  ...[errors, accounts, tokens, matchInfo, highlights, clips, createClip, clipLists, inGame],
  ...[matches, matchRounds, imports, uploads, foundHighlights, automation, webhooks, webhookMessages, site, operator],
];

/** Schemas of the contract by their name in the OpenAPI document: `clipSchema` is `Clip`. */
export const namedSchemas: readonly (readonly [string, z.ZodType])[] = modules
  .flatMap((module): [string, unknown][] => Object.entries(module))
  .flatMap(([name, value]) =>
    name.endsWith("Schema") && value instanceof z.ZodType
      ? [[name[0]?.toUpperCase() + name.slice(1, -"Schema".length), value] as const]
      : [],
  );
