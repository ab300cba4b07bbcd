import { SettingsSection } from "../settings-section.tsx";

/** What is kept about a player, to take along. */
export function OwnDataSection() {
  return (
    <SettingsSection
      id="data"
      title="Your data"
      lead="One archive of everything that is kept about you: your matches and highlights, your clips and what they show, likes and sessions as JSON, your videos, and the demos you uploaded that are still here."
    >
      <a href="/api/account/data/" className="btn btn-quiet" download>
        Download my data (ZIP)
      </a>
      <p className="mt-3 text-sm text-fog">With many clips it is large: about 20 MB for each minute of video.</p>
    </SettingsSection>
  );
}
