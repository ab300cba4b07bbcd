import type { MatchAvatars } from "../../../contract/schemas/match-rounds.ts";
import type { ClipSpec } from "../../../replay/clip-spec.ts";
import { askServer } from "../../shell/asking/ask-server.ts";
import { groundAddresses, takeEarly, trackAddress } from "../early-parts.ts";
import type { StageAvatar } from "../stage-messages.ts";

/** A reason to show nothing, as a sentence for a player. */
export class PreviewProblem extends Error {
  /** When the server wants to be asked again; null if it did not say. */
  readonly retryAfterSeconds: number | null;

  constructor(sentence: string, retryAfterSeconds: number | null = null) {
    super(sentence);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const outOfReach = "The server cannot be reached. Check your connection and try again.";
/** For a part that did not arrive at all, or only in part. */
export const outOfReachProblem = () => new PreviewProblem(outOfReach);
const notMade = "The map of this match is still being drawn. Try again in a minute.";

/** What the match page knows of a match, for previews. */
export interface PreviewSource {
  /** "/matches/ID" */
  matchPath: string;
  /** `pictures_url` of the match. */
  picturesUrl: string;
}

export interface PreviewPlan {
  spec: ClipSpec;
}

/** The longer side of previews, in pixels. */
const longerSide = 1280;

/** A clip's spec in the size at which a page draws it: the same picture, whatever its format. */
export function pageSized(spec: ClipSpec): ClipSpec {
  const scale = Math.min(1, longerSide / Math.max(spec.width, spec.height));
  return { ...spec, width: Math.round(spec.width * scale), height: Math.round(spec.height * scale) };
}

const lost = () => {
  throw outOfReachProblem();
};

/**
 * @param read reads the body, which may break off after its head has come
 * @param missing sentence for the player if the server answers that it is not found; by default the server's own
 * @throws PreviewProblem
 */
export async function fetchPart<Part>(
  address: string,
  read: (answer: Response) => Promise<Part>,
  { init, missing }: { init?: RequestInit; missing?: string } = {},
): Promise<Part> {
  const answer = await (init ? askServer(address, init) : takeEarly(address)).catch(lost);
  if (answer.ok) return read(answer).catch(lost);
  const body: unknown = await answer.json().catch(() => null);
  const sentence = (body as { error?: unknown; detail?: unknown } | null)?.detail;
  if (answer.status === 404 && missing) throw new PreviewProblem(missing);
  if (typeof sentence === "string" && sentence) throw new PreviewProblem(sentence, retryAfterOf(answer));
  // From a proxy that could not reach the server.
  if (answer.status >= 502) return lost();
  throw new PreviewProblem("The preview could not be loaded. Try again.", retryAfterOf(answer));
}

function retryAfterOf({ headers }: Response): number | null {
  const seconds = Number(headers.get("retry-after"));
  return seconds > 0 ? seconds : null;
}

const bytes = (answer: Response) => answer.arrayBuffer();

/** The plan of a clip that a form would create. @throws PreviewProblem */
export async function planPreview({ matchPath }: PreviewSource, form: FormData): Promise<PreviewPlan> {
  const body = new URLSearchParams([...form].map(([name, value]) => [name, String(value)]));
  const init = { method: "POST", body, headers: { Accept: "application/json" } };
  return fetchPart(`${matchPath}/preview-plan`, (answer) => answer.json() as Promise<PreviewPlan>, { init });
}

export interface GroundParts {
  ground: Promise<ArrayBuffer>;
  /** At half size, which loads sooner. */
  small: Promise<Blob[]>;
  fine: () => Promise<Blob[]>;
}

/** For how many matches parts are kept: a ground and its pictures are megabytes, and a page may be open for days. */
const keptMatches = 3;

/** The kept part of a match, which becomes the last one visited; only those of the last few matches are kept. */
function keptOf<Part>(kept: Map<string, Part>, match: string, ask: () => Part): Part {
  const part = kept.get(match) ?? ask();
  kept.delete(match);
  kept.set(match, part);
  const [oldest = ""] = kept.keys();
  if (kept.size > keptMatches) kept.delete(oldest);
  return part;
}

/** Forgets a part that failed to load, so that it is requested again. */
function forget<Part>(kept: Map<string, Part>, match: string, part: Part): void {
  if (kept.get(match) === part) kept.delete(match);
}

const grounds = new Map<string, GroundParts>();

/** The ground of a match, requested once as long as it is kept. */
export const groundOf = ({ picturesUrl }: PreviewSource) => keptOf(grounds, picturesUrl, () => askGround(picturesUrl));

function askGround(picturesUrl: string): GroundParts {
  const addresses = groundAddresses(picturesUrl);
  const blobOf = (address: string) => fetchPart(address, (answer) => answer.blob(), { missing: notMade });
  // Only the picture says whether there is a second floor.
  const floors = async (suffix: string) => {
    const ground = await parts.ground;
    return Promise.all(Array.from({ length: floorCount(ground) }, (_, i) => first(i, suffix)));
  };
  const firstSmall = blobOf(addresses.small);
  const first = (i: number, suffix: string) =>
    i === 0 && suffix ? firstSmall : blobOf(`${picturesUrl}floor-${i}${suffix}.webp`);
  const parts: GroundParts = {
    ground: fetchPart(addresses.ground, bytes, { missing: notMade }),
    small: Promise.resolve().then(() => floors("-small")),
    fine: () => floors(""),
  };
  const failed = () => forget(grounds, picturesUrl, parts);
  parts.ground.catch(failed);
  parts.small.catch(failed);
  firstSmall.catch(failed);
  return parts;
}

const avatars = new Map<string, Promise<StageAvatar[]>>();

/** The pictures of a match's players, as in its videos; requested once as long as they are kept. */
export const avatarsOf = ({ matchPath }: PreviewSource) => keptOf(avatars, matchPath, () => askAvatars(matchPath));

function askAvatars(matchPath: string): Promise<StageAvatar[]> {
  const asked = fetchPart(`/api${matchPath}/avatars/`, async (answer) => {
    const { avatars: files } = (await answer.json()) as MatchAvatars;
    return files.map(({ player, type, base64 }) => ({ player, picture: new Blob([bytesOf(base64)], { type }) }));
  });
  asked.catch(() => forget(avatars, matchPath, asked));
  return asked;
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** The number of floors of a packed ground: its head is JSON after nine bytes. */
function floorCount(ground: ArrayBuffer): number {
  const length = new DataView(ground).getUint32(5, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(ground, 9, length))) as { floors: unknown[] };
  return head.floors.length;
}

/** The part of the track that some highlights are drawn from. @throws PreviewProblem */
export function trackOf({ matchPath }: PreviewSource, part: { highlights: string }): Promise<ArrayBuffer> {
  return fetchPart(trackAddress(matchPath, part), bytes);
}

/** The part of the track that a round is drawn from. @param signal gives it up @throws PreviewProblem */
export function trackOfRound({ matchPath }: PreviewSource, round: number, signal: AbortSignal): Promise<ArrayBuffer> {
  return fetchPart(trackAddress(matchPath, { round }), bytes, { init: { signal } });
}
