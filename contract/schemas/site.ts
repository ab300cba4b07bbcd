import { z } from "zod";
import { clipFormatNames } from "../clip-formats.ts";

/** Details of the operator and of the installation that pages show. */
export const siteSchema = z.object({
  product_name: z.string(),
  public_url: z.string(),
  /** True when sign-in uses the built-in local identity provider. */
  local_identity: z.boolean(),
  operator: z.object({
    name: z.string(),
    address_lines: z.array(z.string()),
    email: z.string(),
    hosting_provider: z.string(),
    jurisdiction: z.string(),
  }),
  demo_file_days: z.int(),
  demo_data_days: z.int(),
  clip_days: z.int(),
  /** Format of clips that are created without naming one. */
  default_clip_format: z.enum(clipFormatNames),
  /** True when only signed-in visitors see clips and pages. */
  members_only: z.boolean(),
});
export type Site = z.infer<typeof siteSchema>;
