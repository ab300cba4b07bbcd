import type { MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { LegalPage } from "../legal/legal-page.tsx";
import { legalSite } from "../legal/legal-site.server.ts";
import type { PageHandle } from "../shell/page-handle.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { productName } from "../shell/product-name.ts";

export const handle: PageHandle = { hydrate: false };

export const meta: MetaFunction = () => pageMeta({ title: `Imprint - ${productName}`, noindex: true });

export const loader = legalSite;

export default function Imprint() {
  const { operator } = useLoaderData<typeof loader>();
  return (
    <LegalPage title="Imprint">
      <h2>Information according to § 5 DDG</h2>
      <address className="not-italic">
        <strong>{operator.name}</strong>
        {operator.address_lines.map((line) => (
          <span key={line} className="block">
            {line}
          </span>
        ))}
      </address>
      <h2>Contact</h2>
      <p>
        Email: <a href={`mailto:${operator.email}`}>{operator.email}</a>
      </p>
      <h2>Responsible for content according to § 18 (2) MStV</h2>
      <p>{operator.name}, address as above.</p>
      <h2>Liability for content</h2>
      <p>
        As a service provider we are responsible for our own content on these pages under the general laws (§ 7 (1)
        DDG). We are not obliged to monitor transmitted or stored third-party information or to look for circumstances
        that point to illegal activity. Obligations to remove or block the use of information under general law remain
        unaffected. We are liable in this respect only from the time at which we learn of a concrete infringement, and
        we will then remove the content without delay.
      </p>
      <h2>Liability for links</h2>
      <p>
        This site links to external websites whose content we cannot influence, and for which their providers are
        responsible. The linked pages were checked for possible infringements when they were linked; none were
        recognisable. Permanent monitoring without concrete indications is not reasonable. If we learn of infringements
        we will remove such links without delay.
      </p>
      <h2>Copyright</h2>
      <p>
        The content and works that the operator has created on these pages are subject to German copyright law. Copying,
        editing and distribution outside the limits of copyright law need the written consent of the author. Where
        content was not created by the operator, the rights of third parties are respected. If you notice an
        infringement, please tell us; we will remove the content without delay.
      </p>
      <h2>Trademarks</h2>
      <p>
        {productName} is not affiliated with, endorsed by or connected to Valve Corporation. Counter-Strike, CS2, Steam
        and their logos are trademarks or registered trademarks of Valve Corporation in the United States and other
        countries. All other trademarks belong to their owners.
      </p>
    </LegalPage>
  );
}

export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
