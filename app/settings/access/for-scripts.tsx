import { SettingsSection } from "../settings-section.tsx";

/** How to call with a token, and where to read on. @param address of the installation, as scripts reach it */
export function ForScripts({ address }: { address: string }) {
  return (
    <SettingsSection id="for-scripts" title="For your scripts">
      <pre className="rounded-lg wrap-anywhere whitespace-pre-wrap border border-line bg-ink p-4 font-mono text-sm leading-relaxed text-chalk">
        {`curl -H "Authorization: Bearer $TOKEN" \\\n  ${address}/api/matches/`}
      </pre>
      <p className="mt-4 flex flex-wrap gap-x-6 gap-y-1">
        <a href="/api/docs/guide/" className="link inline-flex min-h-11 items-center">
          How to import, find and create clips, step by step
        </a>
        <a href="/api/docs/" className="link inline-flex min-h-11 items-center">
          All calls
        </a>
        <a href="/api/openapi.json" className="link inline-flex min-h-11 items-center">
          OpenAPI
        </a>
      </p>
    </SettingsSection>
  );
}
