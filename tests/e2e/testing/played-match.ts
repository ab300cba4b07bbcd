import type { MatchRounds } from "../../../contract/schemas/match-rounds.ts";
import type { MatchDetail } from "../../../contract/schemas/matches.ts";
import { ApiVisitor } from "../../services/api-visitor.ts";
import { type Product, startProduct } from "../../services/product.ts";
import { uniqueSteamId } from "../../services/unique.ts";
import { test as browserTest } from "../fixtures.ts";

interface WithMatch {
  /** A product in a separate process, with workers, and one player's match with its pictures. Moments that tests mark in it stay. */
  played: { product: Product; player: ApiVisitor; match: MatchDetail; rounds: MatchRounds };
}

/** Tests of playback in the browser: one import for all files that use it. */
export const test = browserTest.extend<object, WithMatch>({
  played: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern what a fixture needs.
    async ({}, use) => {
      const product = await startProduct({ REQUESTS_PER_MINUTE: "100000" });
      const player = new ApiVisitor(product.url);
      await player.signIn(uniqueSteamId(), "Watcher");
      const { id } = await player.call<MatchDetail>("POST", "/api/matches/import-sample/");
      const match = await player.poll<MatchDetail>(`/api/matches/${id}/`, (found) => found.pictures_url !== null, {
        seconds: 200,
      });
      const rounds = await player.call<MatchRounds>("GET", `/api/matches/${id}/rounds/`);
      await use({ product, player, match, rounds });
      await product.stop();
    },
    { scope: "worker", timeout: 240_000 },
  ],
  address: ({ played }, use) => use(played.product.url),
});
