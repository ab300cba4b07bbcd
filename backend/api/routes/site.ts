import { siteSchema } from "../../../contract/api.ts";
import { ApiRouter } from "../api-router.ts";

/** What pages show of the installation. */
export const siteRoutes = new ApiRouter().add(
  {
    method: "get",
    path: "/api/site/",
    summary: "The operator's details and how long things are kept",
    tag: "Site",
    access: "public",
    answers: { 200: { description: "The installation", schema: siteSchema } },
  },
  (c) => {
    const { config } = c.get("services");
    return c.json({
      product_name: "Clutchcast",
      public_url: config.publicUrl,
      local_identity: config.localIdentity,
      operator: {
        name: config.OPERATOR_NAME,
        address_lines: config.OPERATOR_ADDRESS.split("|").map((line) => line.trim()),
        email: config.OPERATOR_EMAIL,
        hosting_provider: config.HOSTING_PROVIDER,
        jurisdiction: config.OPERATOR_JURISDICTION,
      },
      demo_file_days: config.DEMO_FILE_DAYS,
      demo_data_days: config.DEMO_DATA_DAYS,
      clip_days: config.CLIP_DAYS,
    });
  },
);
