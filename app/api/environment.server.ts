import { z } from "zod";

const schema = z.object({
  /** Where the API answers when the pages run in a process of their own. */
  API_BASE_URL: z.url().default("http://localhost:3000"),
});

/** The one place in app/ that reads the environment. Only used when the server gives no in-process API. */
export const apiBaseUrl = schema
  .parse({ API_BASE_URL: process.env.API_BASE_URL || undefined })
  .API_BASE_URL.replace(/\/+$/, "");
