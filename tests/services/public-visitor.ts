import type { OpenIdProvider } from "../api/openid-provider.ts";
import { ApiVisitor } from "./api-visitor.ts";

let made = 0;

/** A visitor of a public server, from their own network behind the proxy that the server trusts. */
export class PublicVisitor extends ApiVisitor {
  /** Their address, as given by the proxy. */
  readonly #network: string;

  constructor(url: string) {
    super(url);
    const number = ++made;
    this.#network = `20.${(number >> 8) & 255}.${number & 255}.1`;
  }

  override request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    return super.request(method, path, body, { "X-Forwarded-For": this.#network, ...headers });
  }

  /** Starts a sign-in. @returns the address to which the provider should send the browser back */
  async startSignIn(next?: string, headers: Record<string, string> = {}): Promise<string> {
    const query = next === undefined ? "" : `?${new URLSearchParams({ next })}`;
    const response = await this.request("GET", `/api/auth/steam/login/${query}`, undefined, headers);
    const { auth_url: address } = (await response.json()) as { auth_url: string };
    return new URL(address).searchParams.get("openid.return_to") ?? "";
  }

  /** Signs in through a provider that vouches for them. */
  async signInThrough(provider: OpenIdProvider, steamId: string): Promise<void> {
    const returnTo = await this.startSignIn();
    await this.request("GET", `${returnTo}&${provider.assertion(steamId, returnTo)}`);
    if ((await this.signedInAs()) !== steamId) throw new Error(`${steamId} could not sign in.`);
  }

  async signedInAs(): Promise<string | null> {
    const { user } = await this.call<{ user: { steam_id: string } | null }>("GET", "/api/auth/status/");
    return user?.steam_id ?? null;
  }
}
