import { renderToStaticMarkup } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router-dom/server.js";
import { expect, test } from "vitest";
import { EditClip } from "./edit-clip.tsx";

/** The page as the server sends it, of an unlisted clip. */
async function pageOf(typed: string, state = { canRender: true, isReady: true }): Promise<string> {
  const element = (
    <EditClip
      {...{ id: "12", visibility: "unlisted", name: "Ace", leadIn: 0, leadOut: 0, joinAnew: null, ...state }}
      rounds={[4, 7].map((round) => ({ round, shows: [{ player: "sable.", reason: "Ace" }] }))}
      typed={new URLSearchParams(typed)}
      failure={null}
    />
  );
  const routes = [{ path: "/", element }];
  const context = await createStaticHandler(routes).query(new Request("http://local.invalid/"));
  if (context instanceof Response) throw new Error(`answered ${context.status}`);
  return renderToStaticMarkup(
    <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />,
  );
}

const field = (page: string, name: string) => new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(page)?.[0];

test("what a form of the edit page held stands in its fields again", async () => {
  const page = await pageOf("name=Typed&leadIn=1.5&leadOut=2&place-4=2&place-7=1&unlisted=");
  expect(field(page, "name")).toContain('value="Typed"');
  expect(field(page, "leadIn")).toContain('value="1.5"');
  expect(field(page, "leadOut")).toContain('value="2"');
  expect(page.indexOf("Round 7")).toBeLessThan(page.indexOf("Round 4"));
  expect(field(page, "unlisted")).not.toContain("checked");
});

test("fields that no form held stand as the clip is", async () => {
  const page = await pageOf("");
  expect(field(page, "name")).toContain('value="Ace"');
  expect(field(page, "leadIn")).toContain('value="0"');
  expect(field(page, "unlisted")).toContain("checked");
});

test("a clip whose video is not ready is not said to have lost its replay", async () => {
  const lost = "The replay of this match is no longer kept";
  const waiting = await pageOf("", { canRender: false, isReady: false });
  expect(waiting).toContain("A new version can be made once the clip’s video is ready.");
  expect(waiting).not.toContain(lost);
  expect(await pageOf("", { canRender: false, isReady: true })).toContain(lost);
});
