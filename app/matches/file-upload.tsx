import { useRevalidator } from "@remix-run/react";
import { type ChangeEvent, type DragEvent, type FormEvent, useEffect, useRef, useState } from "react";
import { limits } from "../../contract/limits.ts";
import { askServer } from "../shell/asking/ask-server.ts";
import { useReload } from "../shell/asking/use-reload.ts";
import { useHeirOfFocus } from "../shell/heir-of-focus.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { ProgressBar } from "../shell/pieces/progress-bar.tsx";
import { SubmitButton } from "../shell/pieces/submit-button.tsx";
import { withWaysOut } from "../shell/pieces/with-ways-out.tsx";
import { checkSession } from "../shell/session/ended-session.ts";
import { demoFileProblem } from "./demo-file-problem.ts";
import { failed, holdTexts, mostTries, type Outcome, pause, type SendingState, unsaid } from "./sent-upload.ts";

interface Upload extends SendingState {
  id: number;
  file: File;
  problem: string | null;
  end: "Uploaded" | "Cancelled" | null;
  cancelling: AbortController;
}

/**
 * Uploads demo files that were chosen or dropped, one after the other, each with its own progress and error. Without JavaScript the server takes
 * them from one form.
 */
export function FileUpload({ problems, onImported }: { problems: readonly string[]; onImported: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [messages, setMessages] = useState(problems);
  const [chosen, setChosen] = useState<File[]>([]);
  const [isOver, setOver] = useState(false);
  const [isSending, setSending] = useState(false);
  const nextId = useRef(1);
  const reload = useReload();
  const { revalidate } = useRevalidator();
  /** The current callback of the page, because an upload outlasts pages of the list. If the player has left, the shown page is reloaded. */
  const imported = useRef(revalidate);
  useEffect(() => {
    imported.current = () => {
      reload();
      onImported();
    };
    return () => {
      imported.current = revalidate;
    };
  }, [reload, onImported, revalidate]);

  const change = (id: number, values: Partial<Upload>) =>
    setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, ...values } : upload)));

  function cancel({ id, cancelling }: Upload) {
    cancelling.abort();
    // At once: its turn may be an hour away.
    change(id, { sent: null, heldBy: null, goesOnAt: null, end: "Cancelled" });
  }

  function choose(files: File[]) {
    setChosen(files);
    setMessages([]);
    setUploads([]);
  }

  function onDrop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0 && !isSending) void sendAll(files);
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (chosen.length === 0) return setMessages(["Please choose a demo file"]);
    // A browser tells nobody that the same file was chosen again, as it may have to be after it was changed.
    const inField = [...(input.current?.files ?? [])];
    void sendAll(chosen.map((file) => inField.find(({ name }) => name === file.name) ?? file));
  }

  /** One after the other: two at a time are not faster, and the server takes only two. */
  async function sendAll(files: readonly File[]) {
    setMessages([]);
    setSending(true);
    const all = files.map((file) => ({
      id: nextId.current++,
      file,
      sent: null,
      heldBy: null,
      goesOnAt: null,
      problem: demoFileProblem(file),
      end: null,
      cancelling: new AbortController(),
    }));
    setUploads(all);
    const left: File[] = [];
    let isSignedOut = false;
    for (const { id, file, problem: known, cancelling } of all) {
      if (known) continue;
      const outcome: Outcome = isSignedOut
        ? { kind: "signed out" }
        : await deliver(file, cancelling.signal, (state) => change(id, state));
      const { kind } = outcome;
      if (kind === "signed out") isSignedOut = true;
      const problem = kind === "refused" ? outcome.sentence : kind === "cut off" ? failed : null;
      change(id, {
        sent: null,
        heldBy: null,
        goesOnAt: null,
        problem,
        end: kind === "taken" ? "Uploaded" : kind === "cancelled" ? "Cancelled" : null,
      });
      if (kind === "taken") imported.current();
      else if (kind !== "cancelled") left.push(file);
    }
    setSending(false);
    // They stay chosen for another try.
    setChosen(left);
    if (input.current && left.length === 0) input.current.value = "";
  }

  return (
    <form
      id="import-file"
      method="post"
      action="/matches/upload"
      encType="multipart/form-data"
      onSubmit={onSubmit}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={`relative rounded-xl lg:border-l lg:border-line lg:pl-8 ${
        isOver ? "outline-2 outline-offset-8 outline-flare outline-dashed" : ""
      }`}
    >
      <label htmlFor="demo-file" className="block text-fog">
        Or upload the file itself<span className="max-lg:hidden">, or drop files here</span>
      </label>
      <div className="mt-3 flex gap-3 max-sm:flex-col">
        <input
          ref={input}
          id="demo-file"
          type="file"
          name="demo_file"
          multiple
          accept=".dem,.bz2,.gz,.zst"
          onChange={(event: ChangeEvent<HTMLInputElement>) => choose([...(event.target.files ?? [])])}
          disabled={isSending}
          className="field flex-1 py-0 pl-0 text-sm text-fog file:mr-3 file:h-12 file:border-0 file:border-r file:border-line-2 file:bg-deck-2 file:px-4 file:font-semibold file:text-chalk"
        />
        <SubmitButton className="btn btn-quiet min-h-12" isSending={isSending}>
          <Icon name="upload" />
          {isSending ? "Uploading..." : "Upload"}
        </SubmitButton>
      </div>
      <div className="mt-2 min-h-6 text-sm">
        <div role="alert" className="grid gap-1 font-semibold wrap-anywhere text-loss empty:hidden">
          {messages.map((message) => (
            <p key={message}>{withWaysOut(message)}</p>
          ))}
        </div>
        <ul aria-label="Uploads" hidden={uploads.length === 0} className="grid grid-cols-1">
          {uploads.map((upload) => (
            <li key={upload.id}>
              <UploadState upload={upload} isUnderWay={isSending} onCancel={() => cancel(upload)} />
            </li>
          ))}
        </ul>
      </div>
    </form>
  );
}

interface UploadStateProps {
  upload: Upload;
  isUnderWay: boolean;
  onCancel: () => void;
}

function UploadState({ upload, isUnderWay, onCancel }: UploadStateProps) {
  const { file, sent, problem, end, heldBy, goesOnAt } = upload;
  const cancelButton = useHeirOfFocus<HTMLButtonElement>((button) => [button.closest("li")]);
  const state = end ?? (problem ? "" : sent === null ? "Waiting" : `${Math.floor(sent * 100)} %`);
  return (
    <>
      <p className="flex min-h-11 items-center gap-3">
        <span className="min-w-0 flex-1 truncate">{file.name}</span>
        <span className={`flex-none ${end === "Uploaded" ? "text-win" : "text-fog"}`}>{state}</span>
        {isUnderWay && !end && !problem ? (
          <button
            ref={cancelButton}
            type="button"
            aria-label={`Cancel the upload of ${file.name}`}
            onClick={onCancel}
            className="min-h-11 flex-none px-1 text-link underline"
          >
            Cancel
          </button>
        ) : null}
      </p>
      {sent === null ? null : <ProgressBar value={sent} label={`Uploading ${file.name}`} />}
      <p role="status" className={`text-fog empty:hidden ${sent === null ? "" : "mt-2"}`}>
        {heldBy ? holdTexts[heldBy] : goesOnAt === null ? null : `Resumed at ${Math.floor(goesOnAt * 100)} %.`}
      </p>
      <p role="alert" className="font-semibold text-loss empty:hidden">
        {withWaysOut(problem)}
      </p>
    </>
  );
}

/** Sends a file, and waits as often as it has to: a larger one in parts. */
async function deliver(
  file: File,
  signal: AbortSignal,
  tell: (state: Partial<SendingState>) => void,
): Promise<Outcome> {
  if (file.size > limits.uploadPartBytes) {
    // On demand: most visits send no file. If it cannot be loaded, after a deployment for one, the file goes as a whole.
    const parts = await import("./upload-in-parts.ts").catch(() => null);
    const outcome = await parts?.uploadInParts(file, signal, tell);
    if (outcome) return outcome;
  }
  for (let tries = 1; ; ) {
    const outcome = await sendFile(file, signal, (sent) => tell({ sent }));
    const { kind } = outcome;
    if (kind !== "no place" && (kind !== "cut off" || tries++ >= mostTries)) return outcome;
    tell({ sent: null, heldBy: kind });
    await placeFree(signal);
    tell({ heldBy: null });
  }
}

/**
 * Sends one file by XMLHttpRequest, since `fetch` does not report the progress of uploads.
 * @param onProgress called with 0..1
 */
function sendFile(file: File, signal: AbortSignal, onProgress: (sent: number) => void): Promise<Outcome> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ kind: "cancelled" });
    const request = new XMLHttpRequest();
    request.open("POST", "/matches/upload");
    request.setRequestHeader("Accept", "application/json");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onerror = () => resolve({ kind: "cut off" });
    request.onabort = () => resolve({ kind: "cancelled" });
    request.onload = () => {
      if (request.status === 401) return void checkSession().then(() => resolve({ kind: "signed out" }));
      const answer: Answer = request.response;
      if (answer?.ok) resolve({ kind: "taken" });
      else if (isBusy(request.status, answer)) resolve({ kind: "no place" });
      else resolve({ kind: "refused", sentence: answer?.error ?? unsaid(request.status) });
    };
    signal.addEventListener("abort", () => request.abort());
    onProgress(0);
    const form = new FormData();
    form.set("demo_file", file);
    request.send(form);
  });
}

type Answer = { ok?: boolean; isFull?: boolean; error?: string } | null;

/** Whether the same upload may be accepted later. Limits refuse requests before the page's action, which would give a reason. */
const isBusy = (status: number, answer: Answer) =>
  answer?.isFull || ((status === 429 || status === 503) && !answer?.error);

/** Asks with an empty form, which the server refuses at once: a file would be sent for nothing each time. @returns when there may be room */
async function placeFree(signal: AbortSignal): Promise<void> {
  for (;;) {
    await pause(signal);
    if (signal.aborted) return;
    const init = { method: "POST", headers: { Accept: "application/json" }, body: new FormData() };
    const response = await askServer("/matches/upload", init).catch(() => null);
    // Waiting files are kept even if the network is away for an hour.
    if (!response || response.status >= 502) continue;
    if (!isBusy(response.status, await response.json().catch(() => null))) return;
  }
}
