import { startSeededProduct as startSeeded } from "../../tests/services/seeded-product.ts";
import { copyClips, copyMatches } from "../../tests/services/seeded-rows.ts";
import { bareBuild } from "./bare-build.ts";

export interface SeededProduct {
  url: string;
  /** The same server code around a Remix build with one empty route. */
  bareUrl: string;
  /** Cookie header of the player whose clips these are. */
  cookie: string;
  steamId: string;
  matchId: string;
  clipId: number;
  close(): Promise<void>;
}

/** A product with `clips` completed clips in its database, all showing one really rendered video, and nine matches. */
export async function startSeededProduct({ clips }: { clips: number }): Promise<SeededProduct> {
  const product = await startSeeded({
    demo: "match-de_mirage.dem.bz2",
    maker: { steamId: "76561199999900040", name: "Bench" },
  });
  const { url, maker, matchId, clipId, close } = product;
  await copyClips(product.services.database, clipId, clips - 1);
  await copyMatches(product.services.database, matchId, 8);
  return {
    url,
    bareUrl: await product.serveBeside(bareBuild(product.build)),
    cookie: [...maker.visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    steamId: maker.steamId,
    matchId,
    clipId,
    close,
  };
}
