import { type WebhookEvent, webhookEvents } from "../../../contract/webhooks.ts";
import type { Api } from "../../api/client.server.ts";
import { againForm } from "./delivery-log.tsx";
import { discordForm } from "./discord-section.tsx";
import { addForm } from "./scripts-section.tsx";
import { deleteForm, testForm } from "./test-and-delete.tsx";

/**
 * Does what a form of the page asks for.
 * @returns the sentence of success, and of a new webhook its secret
 * @throws ApiFailure
 */
export async function answerNotifications(client: Api, form: FormData): Promise<{ sentence: string; secret?: string }> {
  const [name, id = ""] = String(form.get("intent")).split(" ");
  const url = String(form.get("url") ?? "");
  switch (name) {
    case discordForm:
      await client.webhooks.saveDiscord({ body: { url } });
      return { sentence: "Saved. Send a test message to see it arrive." };
    case addForm: {
      const chosen = form.getAll("event");
      const events = webhookEvents.filter((event: WebhookEvent) => chosen.includes(event));
      const { secret } = await client.webhooks.add({ body: { url, events } });
      return { sentence: "Added.", secret };
    }
    case testForm: {
      const outcome = await client.webhooks.test({ parameters: { id } });
      if (!outcome.ok) throw new TestFailed(outcome.problem ?? "It did not arrive.");
      return { sentence: `It arrived: ${outcome.status}, after ${outcome.took_ms} ms.` };
    }
    case deleteForm:
      await client.webhooks.remove({ parameters: { id } });
      return { sentence: "Deleted." };
    case againForm:
      await client.webhooks.again({ parameters: { id: String(form.get("delivery")) } });
      return { sentence: "It is sent again in a moment." };
    default:
      return { sentence: "" };
  }
}

/** A test message did not arrive; the sentence says why. */
export class TestFailed extends Error {}
