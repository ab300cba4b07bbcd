import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToPipeableStream } from "react-dom/server";
import { scriptsAfterPicture } from "./scripts-after-picture.server.ts";
import { mayRefresh } from "./shell/on-demand/refreshing.ts";
import type { PageHandle } from "./shell/page-handle.ts";
import { ServedContext } from "./shell/served-context.ts";

/** Pages are rendered whole before they are sent: streamed, late parts never show without JavaScript, and it is slower. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
): Promise<Response> {
  const nonce = loadContext?.nonce === undefined ? {} : { nonce: loadContext.nonce };
  const isHeld = remixContext.staticHandlerContext.matches.some(
    ({ route }) => (remixContext.routeModules[route.id]?.handle as PageHandle | undefined)?.scriptsAfterPicture,
  );
  return new Promise((resolve, reject) => {
    let failed = false;
    const { pipe } = renderToPipeableStream(
      <ServedContext.Provider value={{ ...nonce, refreshes: mayRefresh(request) }}>
        <RemixServer context={remixContext} url={request.url} {...nonce} />
      </ServedContext.Provider>,
      {
        ...nonce,
        onAllReady() {
          const body = new PassThrough();
          text(body).then((html) => {
            headers.set("Content-Type", "text/html; charset=utf-8");
            resolve(
              new Response(scriptsLast(html, isHeld, loadContext?.nonce), { headers, status: failed ? 500 : status }),
            );
          }, reject);
          pipe(body);
        },
        onShellError: reject,
        onError(error) {
          failed = true;
          console.error(error);
        },
      },
    );
  });
}

/**
 * The page is read, and its forms work, before its scripts have come: on a slow line they must not take the place of fonts and
 * of the first picture. Remix' own tags cannot be given a priority. In development React would warn of the attribute.
 */
function scriptsLast(html: string, isHeld: boolean, nonce?: string): string {
  if (process.env.NODE_ENV === "development") return html;
  const early = () => html.replaceAll('<link rel="modulepreload" ', '<link rel="modulepreload" fetchpriority="low" ');
  return (isHeld ? scriptsAfterPicture(html, nonce) : null) ?? early();
}

/** Errors worth a line in the log: not a page that does not exist, not a visitor who went away. */
export function handleError(error: unknown, { request }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (request.signal.aborted) return;
  if (isRouteErrorResponse(error) && error.status < 500) return;
  console.error(error);
}
