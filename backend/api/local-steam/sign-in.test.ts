import { expect, onTestFinished, test } from "vitest";
import { findSession } from "../../accounts/sessions.ts";
import { signIn } from "../../accounts/sign-in.ts";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { outsideTransaction } from "../../storage/transaction-guard.ts";
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

test("Who signs in while their account is being deleted is answered as ever, and the session goes with the account", async () => {
  const { services, remove } = await freshServices("embedded");
  onTestFinished(remove);
  const { database } = services;
  const app = createLocalIdentityProvider(services.now);
  const provider = {
    endpoint: `http://localhost:3000${localProviderPath}`,
    fetch: async (url: string | URL, init?: RequestInit) => app.request(String(url), init),
  };
  let deletion: Promise<unknown> | null = null;
  const watched = database.withPlugin({
    transformQuery({ node }) {
      if (node.kind === "InsertQueryNode" && JSON.stringify(node.into).includes("sessions")) {
        deletion ??= outsideTransaction(() => database.deleteFrom("users").execute());
      }
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const { token } = await signIn({ ...services, database: watched }, provider, "76561199999900001");
  await deletion;
  expect(deletion).not.toBeNull();
  expect(await findSession(services, token)).toBeNull();
});
