import { ApiFailure } from "../api/api-failure.ts";
import type { Api } from "../api/client.server.ts";

/**
 * Carries out what a form of My Matches asks for: import by address, a recent match, the sample match, or another try of a
 * failed import.
 * @returns the match's id
 * @throws ApiFailure
 */
export async function importFromForm(client: Api, form: FormData): Promise<string> {
  const field = (name: string) => String(form.get(name) ?? "").trim();
  switch (field("intent")) {
    case "demo-url": {
      const demoUrl = field("demo_url");
      if (!demoUrl) throw new ApiFailure(400, { detail: "Please enter a demo URL" }, "upload without a demo URL");
      return (await client.matches.importDemoUrl({ body: { demo_url: demoUrl } })).match_id;
    }
    case "sample":
      return (await client.matches.importSample()).match_id;
    case "retry":
      return (await client.matches.retry({ parameters: { id: field("match_id") } })).match_id;
    case "recent": {
      const recent = await client.matches.importRecent({
        body: {
          demo_url: field("demo_url"),
          recent_match_id: field("recent_match_id"),
          map_name: field("map_name"),
          game_mode: field("game_mode"),
          score_team1: wholeNumber(field("score_team1")),
          score_team2: wholeNumber(field("score_team2")),
          match_date: field("match_date") || null,
          skip_validation: true,
        },
      });
      return recent.match_id;
    }
    default:
      throw new ApiFailure(400, { detail: "Unknown form" }, "unknown intent");
  }
}

const wholeNumber = (text: string) => (/^\d{1,4}$/.test(text) ? Number(text) : null);
