import { expect, test } from "vitest";
import { findSession } from "../../accounts/sessions.ts";
import { signIn } from "../../accounts/sign-in.ts";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { createLocalIdentityProvider, localProviderPath } from "./local-identity-provider.ts";

test.each(["embedded", "postgres"] as const)(
  "Signing in twice at once makes one account with two sessions (%s)",
  async (kind) => {
    const { services, remove } = await freshServices(kind);
    try {
      const app = createLocalIdentityProvider(services.now);
      const provider = {
        endpoint: `http://localhost:3000${localProviderPath}`,
        fetch: async (url: string | URL, init?: RequestInit) => app.request(String(url), init),
      };
      const [first, second] = await Promise.all([
        signIn(services, provider, "76561199999900000"),
        signIn(services, provider, "76561199999900000"),
      ]);
      expect(second.user.id).toBe(first.user.id);
      expect(first.user.steam_name).toBe("76561199999900000");
      expect(second.token).not.toBe(first.token);
      for (const { token } of [first, second]) {
        expect((await findSession(services, token))?.user.id).toBe(first.user.id);
      }
      expect(await findSession(services, `${first.token.slice(0, -1)}.`)).toBeNull();
    } finally {
      await remove();
    }
  },
);
