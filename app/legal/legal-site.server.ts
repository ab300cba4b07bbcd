import type { LoaderFunctionArgs } from "@remix-run/node";
import type { Site } from "../../contract/schemas/site.ts";
import { api } from "../api/client.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";

/** Loader of the legal pages: who runs this installation and how long it keeps things. */
export async function legalSite({ request, context }: LoaderFunctionArgs): Promise<Site> {
  try {
    return await api(request, context).siteDetails();
  } catch (error) {
    throw pageFailure(error, { fallback: "The operator's details could not be loaded" });
  }
}
