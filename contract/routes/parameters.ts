import { z } from "zod";
import { clipAddressPattern } from "../clip-address.ts";
import { textLimits } from "../text-limits.ts";

/** The id of a row: a `bigint`, read as a number (`backend/storage/type-parsers.ts`). */
export const rowId = z
  .string()
  .max(16)
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);

/** The id of a clip, with its key where it is unlisted: `clip-address.ts`. Handlers are given the number. */
export const ofClip = {
  namesClip: true,
  parameters: z.object({
    id: z
      .string()
      .max(48)
      .regex(clipAddressPattern)
      .transform((text) => Number.parseInt(text, 10))
      .refine(Number.isSafeInteger),
  }),
} as const;

/** Ids of matches are opaque; entries of the recent list have longer ones. */
export const matchParameters = z.object({
  id: z
    .string()
    .max(textLimits.id)
    .regex(/^[\w.:-]+$/),
});

export const pageOf = (defaultLimit: number, maxLimit: number) =>
  z.object({
    limit: z.coerce.number().int().min(1).max(maxLimit).default(defaultLimit),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  });

export const queryValue = z.string().max(textLimits.queryValue).optional();
