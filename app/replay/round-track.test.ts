import { expect, test, vi } from "vitest";
import { createRoundTrack } from "./round-track.ts";
import { trackOfRound } from "./viewer/preview-parts.ts";

test("a round's track is asked for once, whoever is followed, and again after it did not come", async () => {
  const ask = vi.fn(async (_signal: AbortSignal) => new ArrayBuffer(8));
  ask.mockRejectedValueOnce(new Error("away"));
  const track = createRoundTrack(ask);
  expect(ask).not.toHaveBeenCalled();
  await expect(track.load()).rejects.toThrow("away");
  const first = track.load();
  expect(track.load()).toBe(first);
  await first;
  expect(track.load()).toBe(first);
  expect(ask).toHaveBeenCalledTimes(2);
});

test("a track that is given up is asked for no longer, and its end takes nothing from who comes back to it", async () => {
  const signals: AbortSignal[] = [];
  const ask = (signal: AbortSignal) =>
    new Promise<ArrayBuffer>((resolve, reject) => {
      signals.push(signal);
      signal.addEventListener("abort", () => reject(new Error("given up")));
      if (signals.length > 1) resolve(new ArrayBuffer(8));
    });
  const track = createRoundTrack(ask);
  const left = track.load();
  track.giveUp();
  const back = track.load();
  await expect(left).rejects.toThrow("given up");
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(track.load()).toBe(back);
  expect((await back).byteLength).toBe(8);
});

test("the request of a round that is given up is aborted", async () => {
  const end = new AbortController();
  const fetched = vi.fn((_address: string, { signal }: RequestInit) => {
    return new Promise<Response>((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  });
  vi.stubGlobal("fetch", fetched);
  const asked = trackOfRound({ matchPath: "/matches/7", picturesUrl: "/pictures/7/" }, 3, end.signal);
  end.abort();
  await expect(asked).rejects.toThrow();
  expect(fetched.mock.calls[0]?.[0]).toBe("/api/matches/7/track/?round=3");
  vi.unstubAllGlobals();
});
