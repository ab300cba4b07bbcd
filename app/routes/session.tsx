import type { LoaderFunctionArgs } from "@remix-run/node";
import type { AuthStatus } from "../../contract/schemas/accounts.ts";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";

/** Who is signed in, for pages that check it again. 503 while the API cannot be reached. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const client = api(request, context);
  try {
    const status: AuthStatus = await client.authStatus();
    return Response.json(status, { headers: client.responseHeaders({ "Cache-Control": "no-store" }) });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    throw new Response(null, { status: 503 });
  }
}
