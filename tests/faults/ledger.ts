import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClipsOverview } from "../../contract/schemas/clip-lists.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { Match, MatchDetail, MatchList, ProcessingState } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { probeVideo } from "../services/video.ts";
import { Judge, type Judgement } from "./judgement.ts";
import type { Random } from "./random.ts";
import { newSteamId, pause, shortestClip } from "./staged-product.ts";

/**
 * What a player was told, and what they asked for without hearing the answer: after a crash the first must be there, the
 * second may be.
 */
interface KnownPlayer {
  visitor: ApiVisitor;
  steamId: string;
  /** As the last answered sign-in has it; null until one was answered. */
  name: string | null;
  /** A name whose sign-in was not answered. */
  askedName: string | null;
  likes: boolean;
  hasAskedToggle: boolean;
  /** A sign-in that broke off may have ended the session before it, as asked. */
  mayBeSignedOut: boolean;
  isBusy: boolean;
}

interface KnownMatch {
  id: string;
  maker: KnownPlayer;
  demoUrl: string;
  deletion: "none" | "asked" | "answered";
  isCompleted: boolean;
}

interface KnownClip {
  id: number;
  maker: KnownPlayer;
  matchId: string;
  deletion: "none" | "asked" | "answered";
  /** Where the finished video was first seen; it never changes again. */
  videoUrl: string | null;
}

export interface LedgerOptions {
  url: string;
  /** Where videos are put to be read back. */
  folder: string;
  /** Address of a demo to import, another one at each call. */
  nextDemo(): string;
  /** How many highlights a demo has. */
  highlightsOf(demoUrl: string): number;
  /** A finished clip that nobody but these players likes or views. */
  clipId: number;
  random: Random;
  /** How many players import and make clips. */
  makers: number;
}

const maxOpenImports = 3;
const maxOpenClips = 2;
const checkedOfEarlier = 40;
const standstillMs = 120_000;
const framesPerSecond = 60;

/**
 * Several clients that write and note down each answer, and afterwards compare what the server knows with what they were
 * told. A client that gets no answer stops until the next `write`.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #players: KnownPlayer[] = [];
  readonly #makers: KnownPlayer[] = [];
  readonly #matches: KnownMatch[] = [];
  readonly #clips: KnownClip[] = [];
  #touched = new Set<KnownPlayer>();
  #views = 0;
  #askedViews = 0;
  /** Imports and clips asked for without an answer: they may be there. */
  #askedMatches = 0;
  #askedClips = 0;
  #isWriting = false;
  #isInterrupted = false;

  readonly #kept = new Judge("acknowledged writes survive");
  readonly #moving = new Judge("no import or render stands still for 120 s after the restart");
  readonly #once = new Judge("nothing is done twice: highlights, videos and their files");
  readonly #whole = new Judge("no half video is served");
  #maxStandstillMs = 0;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /** @param after what the writes had to survive: "a killed server" */
  judgements(after: string): Judgement[] {
    this.#moving.note(`longest ${(this.#maxStandstillMs / 1000).toFixed(0)} s`);
    const { promise, ...kept } = this.#kept.judgement;
    return [
      { promise: `${promise} ${after}`, ...kept },
      ...[this.#moving, this.#once, this.#whole].map(({ judgement }) => judgement),
    ];
  }

  /** Signs in those who import and make clips, and lets each import a demo. */
  async begin(): Promise<void> {
    for (let count = 0; count < this.#options.makers; count++) {
      const maker = this.#newPlayer();
      await this.#signIn(maker, `maker ${count + 1}`);
      maker.isBusy = false;
      this.#makers.push(maker);
      await this.#importBy(maker);
    }
    await this.settle();
  }

  /** Writes with several clients at once until `stop`, or until the server is gone. */
  async write(): Promise<void> {
    this.#isWriting = true;
    this.#isInterrupted = false;
    const clients = [
      () => this.#join(),
      () => this.#join(),
      () => this.#toggle(),
      () => this.#toggle(),
      () => this.#rename(),
      () => this.#import(),
      () => this.#clip(),
      () => this.#delete(),
      () => this.#watch(),
    ];
    await Promise.all(clients.map((act) => this.#keepDoing(act)));
  }

  stop(): void {
    this.#isWriting = false;
  }

  /** To be called before the server can write no more: errors that it answers from now on are no fault of its. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#isWriting = false;
  }

  async #keepDoing(act: () => Promise<boolean>): Promise<void> {
    while (this.#isWriting) {
      try {
        if (!(await act())) await pause(100);
      } catch (error) {
        // No answer: whether it was done shows after the restart.
        if (isUnanswered(error) || this.#isInterrupted) return;
        this.#kept.fault(error instanceof Error ? error.message : String(error));
        await pause(100);
      }
    }
  }

  #acknowledge(): void {
    this.#kept.count(1);
  }

  #newPlayer(): KnownPlayer {
    const player: KnownPlayer = {
      visitor: new ApiVisitor(this.#options.url),
      steamId: newSteamId(),
      name: null,
      askedName: null,
      likes: false,
      hasAskedToggle: false,
      mayBeSignedOut: true,
      isBusy: true,
    };
    this.#players.push(player);
    return player;
  }

  async #signIn(player: KnownPlayer, name: string): Promise<void> {
    this.#touched.add(player);
    player.askedName = name;
    player.mayBeSignedOut = true;
    const before = player.visitor.cookies.get("clutchcast_session");
    await player.visitor.signIn(player.steamId, name);
    const session = player.visitor.cookies.get("clutchcast_session");
    if (!session || session === before) throw new Error(`A sign-in of ${name} was answered without a session.`);
    player.name = name;
    player.askedName = null;
    player.mayBeSignedOut = false;
    this.#acknowledge();
  }

  /** A new player signs in, views the clip and likes it. */
  async #join(): Promise<boolean> {
    const player = this.#newPlayer();
    await this.#signIn(player, `joined ${player.steamId.slice(-5)}`);
    this.#askedViews++;
    await player.visitor.call("POST", `/api/matches/clips/${this.#options.clipId}/view/`);
    this.#askedViews--;
    this.#views++;
    this.#acknowledge();
    await this.#like(player);
    player.isBusy = false;
    return false;
  }

  async #like(player: KnownPlayer): Promise<void> {
    this.#touched.add(player);
    player.hasAskedToggle = true;
    const path = `/api/matches/clips/${this.#options.clipId}/like/`;
    const { liked } = await player.visitor.call<{ liked: boolean }>("POST", path);
    player.likes = liked;
    player.hasAskedToggle = false;
    this.#acknowledge();
  }

  async #toggle(): Promise<boolean> {
    return this.#withIdlePlayer((player) => this.#like(player));
  }

  async #rename(): Promise<boolean> {
    return this.#withIdlePlayer((player) => this.#signIn(player, `renamed ${this.#options.random.whole(1, 1e6)}`));
  }

  async #withIdlePlayer(act: (player: KnownPlayer) => Promise<void>): Promise<boolean> {
    const isIdle = (player: KnownPlayer) => !player.isBusy && player.name !== null && !this.#makers.includes(player);
    const idle = this.#players.filter(isIdle);
    if (idle.length === 0) return false;
    const player = this.#options.random.pick(idle);
    player.isBusy = true;
    await act(player);
    player.isBusy = false;
    return true;
  }

  #matchesOf(maker: KnownPlayer): KnownMatch[] {
    return this.#matches.filter((match) => match.maker === maker && match.deletion === "none");
  }

  #clipsOf(maker: KnownPlayer): KnownClip[] {
    return this.#clips.filter((clip) => clip.maker === maker && clip.deletion === "none");
  }

  async #import(): Promise<boolean> {
    const open = this.#matches.filter((match) => !match.isCompleted && match.deletion === "none");
    for (const match of open) await this.#lookAtMatch(match);
    if (open.length >= maxOpenImports) return false;
    await this.#importBy(this.#options.random.pick(this.#makers));
    return false;
  }

  async #importBy(maker: KnownPlayer): Promise<void> {
    const demoUrl = this.#options.nextDemo();
    this.#askedMatches++;
    const response = await maker.visitor.request("POST", "/api/matches/upload-demo/", { demo_url: demoUrl });
    const answer = await jsonOf<Match>(response);
    if (response.status >= 500) throw new Error(`An import answered ${response.status}: ${JSON.stringify(answer)}`);
    this.#askedMatches--;
    // The player has as many imports waiting as one may have.
    if (response.status === 429) return;
    if (!response.ok) throw new Error(`An import was refused: ${response.status} ${JSON.stringify(answer)}`);
    this.#matches.push({ id: answer.match_id, maker, demoUrl, deletion: "none", isCompleted: false });
    this.#acknowledge();
  }

  async #clip(): Promise<boolean> {
    const { random } = this.#options;
    const open = this.#clips.filter((clip) => !clip.videoUrl && clip.deletion === "none");
    for (const clip of open) await this.#lookAtClip(clip);
    if (open.length >= maxOpenClips) return false;
    const maker = random.pick(this.#makers);
    const ready = this.#matchesOf(maker).filter(({ isCompleted }) => isCompleted);
    if (ready.length === 0) return false;
    const match = random.pick(ready);
    const { highlights } = await maker.visitor.call<MatchDetail>("GET", `/api/matches/${match.id}/`);
    const length = ({ start_tick, end_tick }: MatchDetail["highlights"][number]) => end_tick - start_tick;
    const short = [...highlights].sort((a, b) => length(a) - length(b)).slice(0, 5);
    this.#askedClips++;
    const response = await maker.visitor.request("POST", `/api/matches/${match.id}/clips/create/`, {
      name: "",
      highlight_ids: [random.pick(short).id],
      render_settings: shortestClip,
    });
    const answer = await jsonOf<Clip>(response);
    if (response.status >= 500) throw new Error(`A clip answered ${response.status}: ${JSON.stringify(answer)}`);
    this.#askedClips--;
    // Three of this player's wait, or the match was deleted by another of the clients.
    if (response.status === 429 || response.status === 404) return false;
    if (!response.ok) throw new Error(`A clip was refused: ${response.status} ${JSON.stringify(answer)}`);
    this.#clips.push({ id: answer.id, maker, matchId: match.id, deletion: "none", videoUrl: null });
    this.#acknowledge();
    return false;
  }

  /** Deletes a finished clip or match now and then; each maker keeps a match. */
  async #delete(): Promise<boolean> {
    const { random } = this.#options;
    await pause(random.whole(300, 1500));
    const maker = random.pick(this.#makers);
    const clips = this.#clipsOf(maker).filter(({ videoUrl }) => videoUrl);
    const matches = this.#matchesOf(maker).filter(({ isCompleted }) => isCompleted);
    const isMatch = random.fraction() < 0.3 && matches.length > 2;
    if (isMatch) {
      const match = random.pick(matches);
      const ofMatch = this.#clips.filter((clip) => clip.matchId === match.id);
      for (const deleted of [match, ...ofMatch]) deleted.deletion = "asked";
      await maker.visitor.call("DELETE", `/api/matches/${match.id}/delete/`);
      for (const deleted of [match, ...ofMatch]) deleted.deletion = "answered";
    } else if (clips.length > 1) {
      const clip = random.pick(clips);
      clip.deletion = "asked";
      await maker.visitor.call("DELETE", `/api/matches/clips/${clip.id}/delete/`);
      clip.deletion = "answered";
    } else return false;
    this.#acknowledge();
    return true;
  }

  /** Asks for videos that are being made: they are whole or not there. */
  async #watch(): Promise<boolean> {
    const open = this.#clips.filter((clip) => !clip.videoUrl && clip.deletion === "none");
    if (open.length === 0) return false;
    const clip = this.#options.random.pick(open);
    const response = await clip.maker.visitor.request("GET", `/video/clips/${clip.id}/`);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status === 200) this.#checkVideo(clip, bytes, Number(response.headers.get("content-length")), null);
    return false;
  }

  async #lookAtMatch(match: KnownMatch): Promise<string> {
    const path = `/api/matches/${match.id}/status/`;
    const state = await match.maker.visitor.call<ProcessingState>("GET", path);
    if (match.deletion === "none" && state.status === "failed") {
      throw new Error(`Import ${match.id} failed: ${state.error}`);
    }
    match.isCompleted = state.status === "completed";
    return `${state.status} ${state.progress} ${state.current_operation}`;
  }

  async #lookAtClip(clip: KnownClip): Promise<string> {
    const asked = clip.maker.visitor.call<Clip>("GET", `/api/matches/clips/${clip.id}/status/`);
    const state = await asked.catch((error: unknown) => {
      // Another of the clients deletes it, or its match, at this moment.
      if (clip.deletion === "none") throw error;
      return null;
    });
    if (!state) return "deleted";
    if (clip.deletion === "none" && state.render_status === "failed") {
      throw new Error(`Render of clip ${clip.id} failed: ${state.render_error}`);
    }
    if (state.render_status === "completed") await this.#seeVideo(clip, state);
    return `${state.render_status} ${state.progress} ${state.queue_position}`;
  }

  /** Reads a finished video back the first time, and looks that it stays the same one. */
  async #seeVideo(clip: KnownClip, state: Clip): Promise<void> {
    if (clip.videoUrl !== null) {
      this.#once.check(clip.videoUrl === state.video_url, `clip ${clip.id} was rendered again: ${state.video_url}`);
      return;
    }
    const response = await clip.maker.visitor.request("GET", state.video_url ?? "");
    const bytes = Buffer.from(await response.arrayBuffer());
    clip.videoUrl = state.video_url;
    this.#checkVideo(clip, bytes, Number(response.headers.get("content-length")), state.duration_seconds);
  }

  #checkVideo(clip: KnownClip, bytes: Buffer, announced: number, seconds: number | null): void {
    const path = join(this.#options.folder, "video.mp4");
    writeFileSync(path, bytes);
    let fault = bytes.length === announced ? "" : `${bytes.length} of ${announced} bytes`;
    try {
      const video = probeVideo(path);
      const expected = (seconds ?? video.durationSeconds) * framesPerSecond;
      // A sound track may end some frames after the picture.
      if (Math.abs(video.frames - expected) > (seconds === null ? 5 : 1)) {
        fault ||= `${video.frames} frames in ${expected / framesPerSecond} s`;
      }
    } catch (error) {
      fault ||= `ffprobe: ${error instanceof Error ? error.message : String(error)}`;
    }
    this.#whole.check(fault === "", `the video of clip ${clip.id}: ${fault}`);
  }

  /**
   * After a restart: compares what the server knows with what was acknowledged since the last check, and with some of what
   * was before.
   */
  async compare(): Promise<void> {
    const { random } = this.#options;
    const earlier = this.#players.filter((player) => !this.#touched.has(player));
    for (const player of [...this.#touched, ...random.sample(earlier, checkedOfEarlier)])
      await this.#comparePlayer(player);
    for (const player of this.#players) player.isBusy = false;
    this.#touched = new Set();
    await this.#compareCounts();
    for (const maker of this.#makers) await this.#compareMaker(maker);
  }

  async #comparePlayer(player: KnownPlayer): Promise<void> {
    const { visitor, steamId } = player;
    const lost = (what: string) => this.#kept.fault(`${steamId}: ${what}`);
    const { user } = await visitor.call<{ user: { steam_name: string } | null }>("GET", "/api/auth/status/");
    if (!user) {
      if (!player.mayBeSignedOut) lost(`the session of ${player.name} is gone`);
      if (player.name === null) return;
      const likes = player.likes;
      await this.#signIn(player, player.name);
      player.likes = likes;
    } else {
      if (user.steam_name !== player.name && user.steam_name !== player.askedName) {
        lost(`the name is ${user.steam_name}, not ${player.name}`);
      }
      player.name = user.steam_name;
    }
    player.askedName = null;
    player.mayBeSignedOut = false;
    const path = `/api/matches/clips/${this.#options.clipId}/likes/`;
    const { user_has_liked: likes } = await visitor.call<{ user_has_liked: boolean }>("GET", path);
    if (likes !== player.likes && !player.hasAskedToggle) lost(`${likes ? "likes" : "does not like"} the clip`);
    player.likes = likes;
    player.hasAskedToggle = false;
  }

  async #compareCounts(): Promise<void> {
    const visitor = new ApiVisitor(this.#options.url);
    const path = `/api/matches/clips/${this.#options.clipId}`;
    const { views_count: views } = await visitor.call<{ views_count: number }>("GET", `${path}/views/`);
    if (views < this.#views || views > this.#views + this.#askedViews) {
      this.#kept.fault(`${views} views, ${this.#views} were acknowledged and ${this.#askedViews} more asked for`);
    }
    this.#views = views;
    this.#askedViews = 0;
    const { likes_count: likes } = await visitor.call<{ likes_count: number }>("GET", `${path}/likes/`);
    const expected = this.#players.filter((player) => player.likes).length;
    if (likes !== expected) this.#kept.fault(`${likes} likes are counted, ${expected} players like the clip`);
  }

  /** Each match and clip that was acknowledged is there, each deleted one is not, and none is there that nobody asked for. */
  async #compareMaker(maker: KnownPlayer): Promise<void> {
    const { results } = await maker.visitor.call<MatchList>("GET", "/api/matches/?limit=100");
    const matchIds = new Set(results.flatMap(({ match_id: id }) => (id ? [id] : [])));
    for (const match of this.#matches.filter((known) => known.maker === maker)) {
      this.#compareWork(match, matchIds.has(match.id), `match ${match.id}`);
      matchIds.delete(match.id);
    }
    for (const id of matchIds) {
      if (this.#askedMatches-- <= 0) this.#once.check(false, `match ${id} is there, and nobody asked for it`);
      const { demo_url: demoUrl } = await maker.visitor.call<MatchDetail>("GET", `/api/matches/${id}/`);
      this.#matches.push({ id, maker, demoUrl: demoUrl ?? "", deletion: "none", isCompleted: false });
    }
    const clips = await maker.visitor.call<ClipsOverview>("GET", "/api/matches/clips/?limit=50");
    const found = new Map(
      clips.results.flatMap((group) => group.clips.map((clip) => [clip.id, group.match_id ?? "compilation"] as const)),
    );
    for (const clip of this.#clips.filter((known) => known.maker === maker)) {
      this.#compareWork(clip, found.has(clip.id), `clip ${clip.id}`);
      found.delete(clip.id);
    }
    for (const [id, matchId] of found) {
      if (this.#askedClips-- <= 0) this.#once.check(false, `clip ${id} is there, and nobody asked for it`);
      this.#clips.push({ id, maker, matchId, deletion: "none", videoUrl: null });
    }
  }

  #compareWork(known: KnownMatch | KnownClip, isThere: boolean, name: string): void {
    if (known.deletion === "none" && !isThere) this.#kept.fault(`${name} is gone`);
    if (known.deletion === "answered" && isThere) this.#kept.fault(`${name} was deleted, and is there again`);
    if (known.deletion === "asked") known.deletion = isThere ? "none" : "answered";
  }

  /** Waits until all imports and renders are finished, or one of them stands still. */
  async settle(): Promise<void> {
    const open = [
      ...this.#matches
        .filter((match) => match.deletion === "none" && !match.isCompleted)
        .map((match) => ({
          name: `import ${match.id}`,
          look: () => this.#lookAtMatch(match),
          isDone: () => match.isCompleted,
          finish: () => this.#countHighlights(match),
        })),
      ...this.#clips
        .filter((clip) => clip.deletion === "none" && !clip.videoUrl)
        .map((clip) => ({
          name: `render of clip ${clip.id}`,
          look: () => this.#lookAtClip(clip),
          isDone: () => clip.videoUrl !== null,
          finish: async () => {},
        })),
    ];
    await Promise.all(open.map((work) => this.#follow(work)));
    this.#askedMatches = 0;
    this.#askedClips = 0;
  }

  async #follow(work: {
    name: string;
    look(): Promise<string>;
    isDone(): boolean;
    finish(): Promise<void>;
  }): Promise<void> {
    let last = "";
    let since = performance.now();
    for (;;) {
      let state: string;
      try {
        state = await work.look();
      } catch (error) {
        this.#moving.check(false, error instanceof Error ? error.message : String(error));
        return;
      }
      if (work.isDone()) break;
      const now = performance.now();
      if (state !== last) since = now;
      last = state;
      this.#maxStandstillMs = Math.max(this.#maxStandstillMs, now - since);
      if (now - since > standstillMs) {
        this.#moving.check(false, `${work.name} stands still at “${state}”`);
        return;
      }
      await pause(300);
    }
    this.#moving.count(1);
    await work.finish();
  }

  async #countHighlights(match: KnownMatch): Promise<void> {
    const path = `/api/matches/${match.id}/`;
    const { highlights } = await match.maker.visitor.call<MatchDetail>("GET", path);
    const expected = this.#options.highlightsOf(match.demoUrl);
    this.#once.check(
      highlights.length === expected,
      `match ${match.id} has ${highlights.length} of ${expected} highlights`,
    );
  }
}

/** `fetch` says so when a connection was refused or broke off. */
function isUnanswered(error: unknown): boolean {
  return error instanceof TypeError || (error as Error | null)?.name === "AbortError";
}

async function jsonOf<Answer>(response: Response): Promise<Answer> {
  const text = await response.text();
  return (text ? JSON.parse(text) : null) as Answer;
}
