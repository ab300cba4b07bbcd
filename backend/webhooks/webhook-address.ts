import { textLimits } from "../../contract/text-limits.ts";
import type { Config } from "../config.ts";
import { checkedAddresses, isAllowedHost } from "../outgoing/public-address.ts";
import { Refusal } from "../refusal.ts";
import type { WebhooksTable } from "../storage/schema.ts";
import { deadlines } from "../waits/deadlines.ts";
import { connectionProblem } from "./post-message.ts";

type Kind = WebhooksTable["kind"];

const discordHosts = new Set([
  "discord.com",
  "ptb.discord.com",
  "canary.discord.com",
  "discordapp.com",
  "ptb.discordapp.com",
  "canary.discordapp.com",
]);
const discordPath = /^\/api\/(v\d+\/)?webhooks\/\d{1,25}\/[\w-]{1,200}\/?$/;

/**
 * An address that messages may be sent to, in its normal form.
 * @throws Refusal for what is none, for a private address, and for a name that leads nowhere
 */
export async function checkedWebhookUrl(config: Config, kind: Kind, typed: string): Promise<URL> {
  const text = typed.trim();
  if (!URL.canParse(text)) throw refused("This is not a web address. It begins with https://.");
  const url = new URL(text);
  url.hash = "";
  const isAllowed = isAllowedHost(url, config.WEBHOOK_ALLOW_HOSTS);
  if (url.protocol !== "https:" && !(isAllowed && url.protocol === "http:")) {
    throw refused("The address has to begin with https://.");
  }
  if (url.username || url.password) throw refused("The address must not hold a user name or a password.");
  if (kind === "discord" && !((isAllowed || discordHosts.has(url.host)) && discordPath.test(url.pathname))) {
    throw refused(
      "This is not the address of a Discord webhook. It begins with https://discord.com/api/webhooks/ and is copied in the settings of a channel, under Integrations.",
    );
  }
  // Letters beyond ASCII and spaces become three characters and more.
  if (url.href.length > textLimits.url) throw refused(`The address is longer than ${textLimits.url} characters.`);
  try {
    await checkedAddresses(url, config.WEBHOOK_ALLOW_HOSTS, undefined, deadlines.webhook.lookUpMs);
  } catch (error) {
    throw refused(connectionProblem(url, error));
  }
  return url;
}

const refused = (sentence: string) => Refusal.ofField("url", sentence);

/** An address as its player sees it again: whoever has Discord's whole address may post there, and a query may hold a key. */
export function maskedUrl(kind: Kind, address: string): string {
  const url = new URL(address);
  if (kind === "script") return `${url.origin}${url.pathname}${url.search ? "?…" : ""}`;
  const [token = "", id = ""] = url.pathname.split("/").filter(Boolean).reverse();
  return `${url.host}/…/${id.slice(0, 4)}…/…${token.slice(-4)}`;
}
