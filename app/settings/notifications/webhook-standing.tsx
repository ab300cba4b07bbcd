import type { Webhook } from "../../../contract/schemas/webhooks.ts";

/** Whether messages are sent there, and why not. */
export function WebhookStanding({ webhook }: { webhook: Webhook }) {
  if (webhook.is_on) return <span className="rounded bg-win/15 px-2 py-0.5 text-sm text-win">On</span>;
  return (
    <>
      <span className="rounded bg-loss/15 px-2 py-0.5 text-sm text-loss">Off</span>
      <span className="text-sm font-normal text-fog">{webhook.off_reason} A test that arrives switches it on.</span>
    </>
  );
}
