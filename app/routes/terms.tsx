import type { MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { LegalPage } from "../legal/legal-page.tsx";
import { legalSite } from "../legal/legal-site.server.ts";
import { retentionPeriod } from "../legal/retention-period.ts";
import type { PageHandle } from "../shell/page-handle.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { productName } from "../shell/product-name.ts";

export const handle: PageHandle = { hydrate: false };

export const meta: MetaFunction = () => pageMeta({ title: `Terms of Service - ${productName}`, noindex: true });

export const loader = legalSite;

export default function TermsOfService() {
  const site = useLoaderData<typeof loader>();
  const { operator } = site;
  return (
    <LegalPage title="Terms of Service" updated="September 6, 2025">
      <h2>1. Scope</h2>
      <p>
        These terms apply to the use of {productName}, offered by {operator.name}. By signing in you accept them.
      </p>
      <h2>2. Description of the service</h2>
      <p>
        {productName} reads demo files of CS2 matches that you import, finds highlights in them, and generates videos of
        the highlights you choose. The service is free of charge. We promise no particular availability, feature or
        rendering time.
      </p>
      <h2>3. Authentication</h2>
      <p>
        Importing matches, creating clips and liking clips require that you sign in through Steam. You are responsible
        for what happens with your account.
      </p>
      <h2>4. Permitted use</h2>
      <p>
        The service may be used for <strong>private and non-commercial purposes only</strong>. You may import matches in
        which you took part or whose demo you may use, and you may share the clips made from them.
      </p>
      <h2>5. Prohibited use</h2>
      <ul>
        <li>commercial use of the service or of its videos,</li>
        <li>importing files that you have no right to use, or that are not demos,</li>
        <li>harassing other players with clips, or misrepresenting what happened,</li>
        <li>circumventing limits, overloading the service, or automated mass use,</li>
        <li>interfering with the security of the service or of other accounts.</li>
      </ul>
      <h2>6. Rights to videos</h2>
      <p>
        Generated videos may be used privately and non-commercially by the person who created them. You allow the
        operator to store them and to show them publicly within the service. Rights of the game's publisher in the game
        remain unaffected.
      </p>
      <h2>7. Storage</h2>
      <ul>
        <li>
          Demo files are kept for <strong>{retentionPeriod(site.demo_file_days)}</strong>.
        </li>
        <li>
          Match data and replay data read from them are kept for up to{" "}
          <strong>{retentionPeriod(site.demo_data_days)}</strong>.
        </li>
        <li>
          Generated videos are kept for up to <strong>{retentionPeriod(site.clip_days)}</strong>.
        </li>
      </ul>
      <p>Download what you want to keep. We do not promise to keep anything beyond these periods.</p>
      <h2>8. Liability</h2>
      <p>
        The operator is liable without limit for intent and gross negligence and for injury to life, body or health. For
        slight negligence the operator is liable only for the breach of essential obligations, limited to the damage
        that is typical and foreseeable. Any further liability is excluded. Liability under the Product Liability Act
        remains unaffected.
      </p>
      <h2>9. Termination</h2>
      <p>
        You can stop using the service at any time, delete your account in your <a href="/settings/account">settings</a>
        , or have your account deleted by contacting the operator at{" "}
        <a href={`mailto:${operator.email}`}>{operator.email}</a>. The operator may block accounts that break these
        terms, and may end the service.
      </p>
      <h2>10. Changes</h2>
      <p>
        The operator may change these terms for the future. The version published here applies. Whoever continues to use
        the service after a change accepts it.
      </p>
      <h2>11. Governing law and jurisdiction</h2>
      <p>
        German law applies, excluding the UN Convention on Contracts for the International Sale of Goods. As far as the
        law permits, the place of jurisdiction is {operator.jurisdiction}.
      </p>
      <h2>12. Online dispute resolution</h2>
      <p>
        The operator is neither willing nor obliged to take part in dispute resolution proceedings before a consumer
        arbitration board. The European Commission's platform for online dispute resolution was closed on July 20, 2025.
      </p>
      <h2>13. Severability</h2>
      <p>Should a provision of these terms be invalid, the other provisions remain valid.</p>
    </LegalPage>
  );
}

export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
