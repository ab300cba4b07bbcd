import { useFetcher, useSearchParams } from "@remix-run/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { limits } from "../../contract/limits.ts";
import { InPlaceField } from "../shell/asking/in-place-field.tsx";
import { Icon } from "../shell/pieces/icon.tsx";
import { SubmitButton } from "../shell/pieces/submit-button.tsx";
import { withWaysOut } from "../shell/pieces/with-ways-out.tsx";
import { FileUpload } from "./file-upload.tsx";
import { ImportProblem } from "./import-problem.tsx";
import type { ImportResult } from "./import-result.ts";
import { useImportAction } from "./use-import-action.ts";

interface ImportPanelProps {
  /** Answer to a form sent without JavaScript. */
  formResult: ImportResult | null;
  /** How many demos were uploaded by a form that was sent without JavaScript. */
  uploaded: number;
  uploadProblems: readonly string[];
  /** Called when a new match has been added. */
  onImported: () => void;
}

/** The two ways to import a demo: by its address, or as a file. */
export function ImportPanel({ formResult, uploaded, uploadProblems, onImported }: ImportPanelProps) {
  return (
    <section aria-labelledby="import-heading" className="panel p-5 sm:p-7">
      <h2 id="import-heading" className="title-2">
        Import Demo URL
      </h2>
      <div className="mt-4 grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <UrlForm formResult={formResult} uploaded={uploaded} onImported={onImported} />
        <FileUpload problems={uploadProblems} onImported={onImported} />
      </div>
    </section>
  );
}

function UrlForm({ formResult, uploaded, onImported }: Omit<ImportPanelProps, "uploadProblems">) {
  const fetcher = useFetcher<ImportResult>();
  const [query] = useSearchParams();
  const form = useRef<HTMLFormElement>(null);
  const [thanked, setThanked] = useState(uploaded);
  const isSending = fetcher.state === "submitting";
  const result = fetcher.data ?? (formResult?.intent === "demo-url" ? formResult : null);
  const problem = result?.ok === false && !isSending ? result.error : null;
  const imported = useRef(onImported);
  imported.current = onImported;

  useEffect(() => {
    if (!fetcher.data?.ok) return;
    form.current?.reset();
    imported.current();
    setThanked(1);
  }, [fetcher.data]);
  useEffect(() => {
    if (thanked === 0) return;
    const timer = setTimeout(() => setThanked(0), limits.uploadMessageMs);
    return () => clearTimeout(timer);
  }, [thanked]);

  return (
    <fetcher.Form
      ref={form}
      method="post"
      action={useImportAction()}
      noValidate={false}
      data-way-back={`/matches?${query}#import`}
    >
      <input type="hidden" name="intent" value="demo-url" />
      <InPlaceField />
      <label htmlFor="demo-url" className="block text-fog">
        Enter a direct URL to a CS2 demo file (.dem or .dem.bz2)
      </label>
      <div className="mt-3 flex gap-3 max-sm:flex-col">
        <input
          id="demo-url"
          type="url"
          name="demo_url"
          className="field"
          placeholder="https://example.com/demo.dem"
          maxLength={limits.demoUrlCharacters}
          defaultValue={result?.ok === false ? result.demoUrl : (query.get("demo_url") ?? "")}
          aria-invalid={problem !== null}
          aria-describedby="demo-url-message"
          autoComplete="off"
          spellCheck={false}
        />
        <SubmitButton className="btn btn-primary min-h-12 min-w-36" isSending={isSending}>
          <Icon name="link" />
          {isSending ? "Uploading..." : "Import"}
        </SubmitButton>
      </div>
      <div id="demo-url-message" className="mt-2 min-h-6 text-sm font-semibold">
        <p role="alert" className="text-loss empty:hidden">
          {withWaysOut(problem)}
        </p>
        <p role="status" className="text-win empty:hidden">
          {thanked > 0 && !problem ? `${thanked === 1 ? "Demo" : `${thanked} demos`} uploaded successfully!` : null}
        </p>
      </div>
    </fetcher.Form>
  );
}

/** The offer of the bundled match, for a player who has none yet. */
export function SampleOffer({ formResult, children }: { formResult: ImportResult | null; children?: ReactNode }) {
  const fetcher = useFetcher<ImportResult>();
  const isSending = fetcher.state !== "idle";
  return (
    <fetcher.Form method="post" action={useImportAction()} className="grid justify-items-center gap-3">
      <input type="hidden" name="intent" value="sample" />
      <InPlaceField />
      {children}
      <SubmitButton className="btn btn-primary" isSending={isSending}>
        <Icon name="flask" />
        {isSending ? "Importing..." : "Try the sample match"}
      </SubmitButton>
      <ImportProblem result={isSending ? null : (fetcher.data ?? formResult)} intent="sample" />
    </fetcher.Form>
  );
}
