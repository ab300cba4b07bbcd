import type { UploadState } from "../../contract/schemas/uploads.ts";
import { askServer } from "../shell/asking/ask-server.ts";
import { checkSession } from "../shell/session/ended-session.ts";
import { fileIdentity, forgetUpload, keepUpload, keptUpload } from "./kept-uploads.ts";
import { failed, mostTries, type Outcome, pause, type SendingState, unsaid } from "./sent-upload.ts";

const uploads = "/api/matches/uploads/";
/** How often an upload that the server no longer has is begun anew. */
const mostBeginnings = 3;
/** A phone that has changed its network may never hear that the old connection is gone. The server waits as long for a byte. */
const silentMs = 30_000;
/** For the answer to a part that is sent: a store far away may take its time. */
const answerMs = 180_000;

const fileIsAnother = "This file was changed, moved or deleted after you chose it. Please choose it again.";

/** Codes of refusals that end when the player's other demos are done, or a minute is over. */
const busy = new Set(["imports_under_way", "upload_limit", "rate_limited", "too_many_bodies"]);

/** Why sending ended before the file was imported. */
class Ended extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

/** The server no longer has the upload. */
class Gone extends Error {}

/** There is no API at this address: pages that run alone have none, and a proxy says so while the server behind it is started anew. */
class NoSuchCall extends Error {}

interface Answer {
  status: number;
  body: unknown;
}

/**
 * Sends a file in parts, and goes on with the part that is missing: after a lost connection, and when the same file is chosen again. Decision 175.
 * @param tell shows how far it is
 * @returns how it ended; null where the server of these pages takes whole files only
 */
export async function uploadInParts(
  file: File,
  signal: AbortSignal,
  tell: (state: Partial<SendingState>) => void,
): Promise<Outcome | null> {
  const identity = fileIdentity(file);
  // Of two tabs with the same file one goes on with what is known; the other sends a copy of its own, which it may cancel.
  const work = (isAlone: boolean) => new Sending(file, isAlone ? identity : null, signal, tell).outcome();
  // Pages without https have no locks. There both tabs send parts of the same upload, which the server puts in order.
  if (!navigator.locks) return work(true);
  return navigator.locks.request(`upload ${identity}`, { ifAvailable: true }, (lock) => work(lock !== null));
}

class Sending {
  readonly #file: File;
  /** By what the upload is remembered; null: not at all. */
  readonly #identity: string | null;
  readonly #signal: AbortSignal;
  readonly #tell: (state: Partial<SendingState>) => void;
  #id: string | null = null;
  /** The most that the server was seen to have of the upload. */
  #furthest = 0;
  #tries = 1;
  #beginnings = 0;

  constructor(file: File, identity: string | null, signal: AbortSignal, tell: (state: Partial<SendingState>) => void) {
    this.#file = file;
    this.#identity = identity;
    this.#signal = signal;
    this.#tell = tell;
    this.#id = identity && keptUpload(identity);
  }

  async outcome(): Promise<Outcome | null> {
    const isKnown = this.#id !== null;
    for (let isFirst = true; ; isFirst = false) {
      let outcome = await this.#try(isFirst && isKnown);
      if (outcome?.kind === "cut off") outcome = await endOfCutOff(this.#file);
      if (this.#signal.aborted && outcome?.kind !== "taken") {
        await this.#cancel();
        return { kind: "cancelled" };
      }
      if (outcome?.kind === "cut off" && this.#tries++ >= mostTries) return outcome;
      const kind = outcome?.kind;
      if (kind !== "cut off" && kind !== "no place" && kind !== "away") return outcome;
      this.#tell({ sent: null, heldBy: kind === "cut off" ? "cut off in parts" : kind });
      await this.#untilReachable();
    }
  }

  async #try(saysWhereItGoesOn: boolean): Promise<Outcome | null> {
    try {
      let upload = await this.#found();
      if (upload && saysWhereItGoesOn && upload.received_bytes > 0) {
        this.#tell({ goesOnAt: upload.received_bytes / upload.bytes });
      }
      for (;;) {
        try {
          upload ??= await this.#begin();
          await this.#sendRest(upload);
          await this.#import(upload.id);
          this.#forget();
          return { kind: "taken" };
        } catch (error) {
          if (!(error instanceof Gone)) throw error;
          this.#forget();
          this.#tell({ goesOnAt: null });
          upload = null;
          if (this.#beginnings >= mostBeginnings) return { kind: "refused", sentence: failed };
        }
      }
    } catch (error) {
      if (error instanceof NoSuchCall) return this.#id && this.#tries < mostTries ? { kind: "cut off" } : null;
      if (error instanceof Ended) return error.outcome;
      throw error;
    }
  }

  /** The known upload as the server has it; null when there is none, or no longer. */
  async #found(): Promise<UploadState | null> {
    if (this.#signal.aborted) throw new Ended({ kind: "cancelled" });
    if (!this.#id) return null;
    try {
      return this.#seen((await this.#ask("GET", `${this.#id}/`)).body as UploadState);
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
      this.#forget();
      return null;
    }
  }

  async #begin(): Promise<UploadState> {
    const { body } = await this.#ask("POST", "", { file_name: this.#file.name, bytes: this.#file.size }).catch(
      (error) => {
        throw error instanceof Gone ? new NoSuchCall() : error;
      },
    );
    const upload = body as UploadState;
    this.#beginnings++;
    this.#furthest = 0;
    this.#id = upload.id;
    if (this.#identity) keepUpload(this.#identity, upload.id);
    return upload;
  }

  async #sendRest(begun: UploadState): Promise<void> {
    for (let upload = begun; upload.received_bytes < upload.bytes; ) {
      const { id, received_bytes: start, part_bytes: size } = upload;
      // Not before: a sentence that came and went with every try would be read out each time.
      this.#tell({ sent: start / upload.bytes, heldBy: null });
      const onSent = (bytes: number) => this.#tell({ sent: (start + bytes) / upload.bytes });
      const path = `${id}/parts/${Math.floor(start / size) + 1}/`;
      const answer = await this.#withToken((token) =>
        this.#sendPart(uploads + path, token, this.#file.slice(start, start + size), onSent),
      );
      // Another tab has sent it, or an answer was lost: what counts is what the server has.
      const isBehind = answer.status === 409;
      const { body } = isBehind ? await this.#ask("GET", `${id}/`) : this.#checked(answer);
      upload = this.#seen(body as UploadState);
      this.#tell({ sent: upload.received_bytes / upload.bytes });
      if (isBehind && upload.received_bytes === start) throw new Ended({ kind: "cut off" });
    }
  }

  async #import(id: string): Promise<void> {
    await this.#ask("POST", `${id}/import/`);
  }

  /** Tries count from the last time that the server had more. */
  #seen(upload: UploadState): UploadState {
    if (upload.received_bytes > this.#furthest) {
      this.#furthest = upload.received_bytes;
      this.#tries = 1;
    }
    return upload;
  }

  #forget(): void {
    this.#id = null;
    if (this.#identity) forgetUpload(this.#identity);
  }

  /** Ends the upload on the server, too. If that fails it ends by itself, after a day. */
  async #cancel(): Promise<void> {
    const id = this.#id;
    if (!id) return;
    this.#forget();
    await this.#ask("DELETE", `${id}/`).catch(() => {});
  }

  /** Without an answer the network is away, be it for an hour. */
  async #untilReachable(): Promise<void> {
    do {
      await pause(this.#signal);
      if (this.#signal.aborted) return;
      const response = await askServer("/session").catch(() => null);
      if (response && response.status < 502 && response.status !== 404) return;
    } while (!this.#signal.aborted);
  }

  async #ask(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await this.#withToken(async (token) => {
      const response = await askServer(uploads + path, {
        method,
        headers: { Accept: "application/json", "Content-Type": "application/json", "X-XSRF-TOKEN": token },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { status: response.status, body: await response.json().catch(() => null) };
    });
    return this.#checked(answer);
  }

  /** Sends the anti-forgery token, which another sign-in replaces. @throws Ended when there is no answer */
  async #withToken(send: (token: string) => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await send(antiForgeryToken());
      if (answer.status !== 403) return answer;
      await checkSession();
      return await send(antiForgeryToken());
    } catch (error) {
      throw error instanceof Ended ? error : new Ended({ kind: "cut off" });
    }
  }

  /** @throws Gone; Ended for every other answer but success, which is JSON */
  #checked(answer: Answer): Answer {
    const { status } = answer;
    const { error: code, detail } = (answer.body ?? {}) as { error?: string; detail?: string };
    if (status === 204 || (status < 300 && answer.body !== null)) return answer;
    // The sign-in page of a train's network, for one.
    if (status < 400) throw new Ended({ kind: "cut off" });
    if (status === 404 || status === 405) throw code ? new Gone() : new NoSuchCall();
    if (status === 401) {
      void checkSession();
      throw new Ended({ kind: "signed out" });
    }
    if (status === 429 && (!code || busy.has(code))) throw new Ended({ kind: "no place" });
    // Proxies have numbers of their own for it, up to 530. A full disk is 507.
    if (status >= 502 && status !== 507) throw new Ended({ kind: "away" });
    // What came of the part was cut off on its way, or too slow.
    const isOfPart = /^(upload|body)_|^part_length$/.test(code ?? "");
    if (status === 408 || (status === 400 && isOfPart)) throw new Ended({ kind: "cut off" });
    throw new Ended({ kind: "refused", sentence: detail ?? unsaid(status) });
  }

  /** By XMLHttpRequest, since `fetch` does not report the progress of uploads. @throws Ended when there is no answer */
  #sendPart(address: string, token: string, part: Blob, onSent: (bytes: number) => void): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const signal = this.#signal;
      const request = new XMLHttpRequest();
      let timer = 0;
      const wait = (ms: number) => {
        clearTimeout(timer);
        timer = window.setTimeout(() => end({ kind: "cut off" }), ms);
      };
      const cancel = () => end({ kind: "cancelled" });
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", cancel);
      };
      const end = (outcome: Outcome) => {
        settle();
        request.onerror = null;
        request.abort();
        reject(new Ended(outcome));
      };
      request.open("PUT", address);
      request.setRequestHeader("Accept", "application/json");
      request.setRequestHeader("Content-Type", "application/octet-stream");
      request.setRequestHeader("X-XSRF-TOKEN", token);
      request.responseType = "json";
      request.upload.onprogress = ({ loaded }) => {
        wait(silentMs);
        onSent(loaded);
      };
      request.upload.onload = () => wait(answerMs);
      request.onerror = () => end({ kind: "cut off" });
      request.onload = () => {
        settle();
        resolve({ status: request.status, body: request.response });
      };
      if (signal.aborted) return cancel();
      signal.addEventListener("abort", cancel);
      wait(silentMs);
      request.send(part);
    });
  }
}

/** "" until the session has one; the server says so, and `checkSession` brings it. */
function antiForgeryToken(): string {
  const [, value = ""] = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/.exec(document.cookie) ?? [];
  return decodeURIComponent(value);
}

/** A request whose file the browser can no longer read breaks off as if the connection were lost. */
async function endOfCutOff(file: File): Promise<Outcome> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return { kind: "cut off" };
  } catch {
    return { kind: "refused", sentence: fileIsAnother };
  }
}
