import { renderToStaticMarkup } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router-dom/server.js";
import { expect, test } from "vitest";
import type { RenderStatus } from "../../contract/statuses.ts";
import type { ClipSummary } from "./clip-summary.ts";
import MadeClip from "./made-clip.tsx";

const clipOf = (render_status: RenderStatus) =>
  ({ id: 7, render_status, queue_position: 1, progress: 0 }) as ClipSummary;

/** What is said of a clip, and whether as a status. @param status undefined: the page does not have it yet */
async function said(isNew: boolean, status?: RenderStatus): Promise<[text: string | undefined, isStatus: boolean]> {
  const element = <MadeClip made={{ ok: true, clipId: 7, isNew }} clip={status && clipOf(status)} />;
  const routes = [{ path: "/", element }];
  const context = await createStaticHandler(routes).query(new Request("http://local.invalid/"));
  if (context instanceof Response) throw new Error(`answered ${context.status}`);
  const page = renderToStaticMarkup(
    <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />,
  );
  const [, attributes = "", text] = /<p([^>]*)>([^<]*)<\/p>/.exec(page) ?? [];
  return [text, attributes.includes('role="status"')];
}

test("what is said of a new clip follows its render, whose end is read out elsewhere", async () => {
  for (const status of [undefined, "queued", "processing"] as const) {
    expect(await said(true, status)).toEqual(["Your clip is on its way.", true]);
  }
  expect(await said(true, "completed")).toEqual(["Your clip is ready.", false]);
  expect(await said(true, "failed")).toEqual(["Your clip could not be rendered.", false]);
});

test("that a clip was there before is said of it in every state", async () => {
  for (const status of ["queued", "processing"] as const) {
    expect(await said(false, status)).toEqual(["This clip is being made already.", true]);
  }
  for (const status of [undefined, "completed"] as const) {
    expect(await said(false, status)).toEqual(["You have this clip already.", true]);
  }
});
