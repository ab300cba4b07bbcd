import { expect, test } from "vitest";
import { clipMeta, cutToBytes } from "./clip-meta.ts";

const bytes = (text: string) => Buffer.byteLength(text);

test("a text for a preview has so many bytes at the most, with no letter cut in two", () => {
  expect(cutToBytes("short", 67)).toBe("short");
  expect(cutToBytes("a".repeat(67), 67)).toHaveLength(67);
  expect(cutToBytes("a".repeat(68), 67)).toBe(`${"a".repeat(64)}…`);
  const family = "👨‍👩‍👧‍👦";
  for (const text of ["я".repeat(80), `${family.repeat(20)}`, "שלום ".repeat(30)]) {
    const cut = cutToBytes(text, 67);
    expect(bytes(cut)).toBeLessThanOrEqual(67);
    expect(cut.endsWith("…")).toBe(true);
    expect(text.startsWith(cut.slice(0, -1))).toBe(true);
  }
  expect(cutToBytes(family.repeat(20), 67)).toBe(`${family.repeat(2)}…`);
});

test("platforms are told of a video once there is the file for them, and never of the video itself", () => {
  const clip = {
    ...{
      id: 12,
      public_id: "12",
      visibility: "public",
      display_name: "Ace",
      highlight_info: "Ace",
      highlights_count: 1,
    },
    ...{ render_status: "completed", queue_position: null, progress: 1, render_error: null, duration_seconds: 21 },
    video_url: "/video/clips/12/?v=aaaa",
    poster_url: "/video/clips/12/poster.jpg?v=aaaa",
    wide_poster_url: "/video/clips/12/wide-poster.jpg?v=aaaa",
    ...{ thumbnail_url: null, loop_url: null, format: "720p", created_at: "2026-11-20T10:00:00Z" },
    ...{
      likes_count: 0,
      views_count: 0,
      user_has_liked: false,
      is_owner: false,
      match_id: "m",
      parts: [],
      formats: [],
    },
    ...{ can_add_formats: false, marks: [], share_url: null as string | null },
    user: { steam_id: "76561198000000001", username: "Nova", avatar_url: null },
  } as unknown as NonNullable<Parameters<typeof clipMeta>[0]>["clip"];
  const shared = {
    sharing: { title: "Ace", description: "An ace", created_by: "Nova" } as NonNullable<
      Parameters<typeof clipMeta>[0]
    >["sharing"],
    size: { width: 1280, height: 720 },
    publicUrl: "https://clips.example",
  };
  const told = (share_url: string | null) =>
    Object.fromEntries(
      clipMeta({ ...shared, clip: { ...clip, share_url } }).flatMap((meta) =>
        "property" in meta ? [[meta.property, meta.content]] : [],
      ),
    );
  const early = told(null);
  expect(Object.keys(early).filter((name) => name.startsWith("og:video"))).toEqual([]);
  expect(early["og:image"]).toMatch(/^https:\/\/clips\.example\/video\/clips\/12\//);
  expect(told("/video/clips/12/share.mp4?v=bbbb")).toMatchObject({
    "og:type": "video.other",
    "og:video": "https://clips.example/video/clips/12/share.mp4?v=bbbb",
    "og:video:duration": "21",
  });
});
