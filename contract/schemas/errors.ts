import { z } from "zod";
import { errorCodes } from "../error-codes.ts";

export const errorBodySchema = z.object({
  /** A short code a program can switch on, e.g. `queue_limit`. */
  error: z.enum(errorCodes),
  /** A sentence for a person. */
  detail: z.string(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
