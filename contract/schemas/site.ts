import { z } from "zod";
import { clipFormatNames } from "../clip-formats.ts";

/** The operator's details and links that pages show; GET /api/site/. */
export const siteSchema = z.object({
  product_name: z.string(),
  public_url: z.string(),
  /** True while sign-in goes through the built-in local identity provider. */
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
  /** Of clips that are created without naming a format. */
  default_clip_format: z.enum(clipFormatNames),
  /** True when clips and pages are for those alone who are signed in. */
  members_only: z.boolean(),
});
export type Site = z.infer<typeof siteSchema>;
