import { checkDescribed } from "./described-answers.ts";

/** A visitor that only speaks HTTP: a cookie jar, the anti-forgery header, JSON. */
export class ApiVisitor {
  readonly #base: string;
  readonly #cookies = new Map<string, string>();

  /** @param cookies of another visitor, to share their session */
  constructor(base: string, cookies: Iterable<readonly [string, string]> = []) {
    this.#base = base;
    for (const [name, value] of cookies) this.#cookies.set(name, value);
  }

  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  /** The full address of a path. */
  address(path: string): string {
    return new URL(path, this.#base).href;
  }

  /** The cookies as a Cookie header. */
  get cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /**
   * Sends a request without following redirects. `path` may be a full address.
   * @throws when its JSON is not as the contract describes it
   */
  async request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const xsrf = this.#cookies.get("XSRF-TOKEN");
    const response = await fetch(new URL(path, this.#base), {
      method,
      redirect: "manual",
      headers: {
        "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        ...(this.#cookies.size ? { Cookie: this.cookieHeader } : {}),
        ...(method !== "GET" && method !== "HEAD" && xsrf ? { "X-XSRF-TOKEN": decodeURIComponent(xsrf) } : {}),
        ...(body !== undefined && !(body instanceof URLSearchParams) ? { "Content-Type": "application/json" } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
    });
    this.keepCookies(response);
    await checkDescribed(method, path, response);
    return response;
  }

  /** Keeps the cookies that an answer sets, and drops those it clears. */
  protected keepCookies(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      const [name = "", ...value] = pair.split("=");
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(cookie)) this.#cookies.delete(name);
      else this.#cookies.set(name, value.join("="));
    }
  }

  /** A call that must succeed. @throws with the answer's text otherwise */
  async call<Answer = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await this.request(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return (text ? JSON.parse(text) : null) as Answer;
  }

  /** Signs in through the local identity provider, using its form. */
  async signIn(steamId: string, name: string): Promise<void> {
    const { auth_url: address } = await this.call<{ auth_url: string }>("GET", "/api/auth/steam/login/");
    const page = await (await this.request("GET", address)).text();
    const [, action = ""] = /<form[^>]*action="([^"]*)"/.exec(page) ?? [];
    const fields = new URLSearchParams();
    for (const [tag] of page.matchAll(/<(?:input|button)[^>]*>/g)) {
      const [, field] = /name="([^"]*)"/.exec(tag) ?? [];
      const [, value = ""] = /value="([^"]*)"/.exec(tag) ?? [];
      if (field) fields.set(field, value.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#x27;", "'"));
    }
    fields.set("steam_id", steamId);
    fields.set("persona_name", name);
    let response = await this.request("POST", new URL(action.replaceAll("&amp;", "&"), address).href, fields);
    for (let hop = 0; hop < 5 && response.status >= 300 && response.status < 400; hop++) {
      const location = new URL(response.headers.get("location") ?? "/", this.#base);
      if (location.pathname === "/") break;
      response = await this.request("GET", location.href);
    }
  }

  /** Requests `path` until `accept` accepts the answer. @throws after `seconds`, with the last answer */
  async poll<Answer>(
    path: string,
    accept: (answer: Answer) => boolean,
    { seconds = 180, everyMs = 300 } = {},
  ): Promise<Answer> {
    const deadline = Date.now() + seconds * 1000;
    for (;;) {
      const answer = await this.call<Answer>("GET", path);
      if (accept(answer)) return answer;
      if (Date.now() > deadline) throw new Error(`${path} stayed at ${JSON.stringify(answer).slice(0, 400)}`);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }
}
