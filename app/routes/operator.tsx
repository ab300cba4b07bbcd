import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ApiFailure } from "../api/api-failure.ts";
import { type Api, api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";
import { pageFromQuery } from "../matches/match-paging.ts";
import { OperatorPage } from "../operator/operator-page.tsx";
import type { OperatorResult } from "../operator/operator-result.ts";
import { keepsPage } from "../shell/asking/form-answers.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { productName } from "../shell/product-name.ts";

const refreshSeconds = 30;
const failuresPerPage = 20;

/** To everybody but an operator this is an address at which there is nothing. */
export const meta: MetaFunction<typeof loader> = ({ data: loaded }) =>
  pageMeta({ title: loaded ? `Operator - ${productName}` : "Page not found", noindex: true });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const page = pageFromQuery(new URL(request.url).searchParams);
  const client = api(request, context);
  try {
    const query = { limit: failuresPerPage, offset: (page - 1) * failuresPerPage };
    const [overview, failures] = await Promise.all([client.operator.overview(), client.operator.failures({ query })]);
    const pages = Math.max(1, page, Math.ceil(failures.count / failuresPerPage));
    return data({ overview, failures, page, pages, refreshSeconds }, { headers: client.responseHeaders() });
  } catch (error) {
    throw pageFailure(error, { fallback: "Failed to load the overview" });
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const client = api(request, context);
  const form = await formOf(request);
  try {
    const { sentence } = await retry(client, form);
    return data({ ok: true, sentence } as OperatorResult, { headers: client.responseHeaders() });
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status === 404) {
      throw pageFailure(error, { fallback: "There is nothing at this address", always: true });
    }
    // The page is loaded anew all the same: it shows why.
    const failed: OperatorResult = { ok: false, sentence: error.sentence ?? "It could not be put back." };
    return data(failed, { headers: client.responseHeaders() });
  }
}

function retry(client: Api, form: FormData) {
  const text = (name: string) => String(form.get(name) ?? "");
  return form.get("intent") === "retry-cause"
    ? client.operator.retryCause({ body: { queue: text("queue"), cause: text("cause") } })
    : client.operator.retryFailure({ parameters: { id: text("id") || "none" } });
}

export const clientAction = keepsPage<OperatorResult>((sentence) => ({ ok: false, sentence }));

export default function Operator() {
  const loaded = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  return <OperatorPage {...loaded} result={result ?? null} />;
}

export { shouldRevalidate } from "../shell/asking/form-answers.ts";
export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
