import { apiRoutes } from "../../../contract/api-routes.ts";
import { defaultClipFormat } from "../../clips/create/default-clip-format.ts";
import { implementRoutes } from "../implement-routes.ts";

/** Details of the installation that pages show. */
export const siteRoutes = implementRoutes(apiRoutes.site, {
  details: (c, { reply }) => {
    const { config } = c.get("services");
    return reply(200, {
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
      default_clip_format: defaultClipFormat(config),
      members_only: config.VIEWING === "members",
    });
  },
});
