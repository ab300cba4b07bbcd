import type { MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { LegalPage } from "../legal/legal-page.tsx";
import { legalSite } from "../legal/legal-site.server.ts";
import { retentionPeriod } from "../legal/retention-period.ts";
import type { PageHandle } from "../shell/page-handle.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { productName } from "../shell/product-name.ts";

export const handle: PageHandle = { hydrate: false };

export const meta: MetaFunction = () => pageMeta({ title: `Privacy Policy - ${productName}`, noindex: true });

export const loader = legalSite;

export default function PrivacyPolicy() {
  const site = useLoaderData<typeof loader>();
  const { operator } = site;
  const demoFiles = retentionPeriod(site.demo_file_days);
  const demoData = retentionPeriod(site.demo_data_days);
  const videos = retentionPeriod(site.clip_days);
  return (
    <LegalPage title="Privacy Policy" updated="September 6, 2025">
      <h2>1. Controller</h2>
      <p>
        Responsible for the processing of personal data on this website is {operator.name},{" "}
        {operator.address_lines.join(", ")}, email <a href={`mailto:${operator.email}`}>{operator.email}</a>.
      </p>
      <h2>2. Sign-in with Steam</h2>
      <p>
        You sign in through Steam. Your password stays with Steam; we never see it. When you sign in we receive and
        store:
      </p>
      <ul>
        <li>your Steam ID,</li>
        <li>your username,</li>
        <li>your avatar,</li>
        <li>your public profile information, as far as it is needed to show your name and avatar.</li>
      </ul>
      <p>
        With every sign-in we note the browser and system it came from (“Firefox on Windows”), so that you can tell your
        devices apart and sign them out.
      </p>
      <p>
        Of an access token that you make for a script we store its name, what it may do, and when it was made and last
        used, until you revoke it or it ends. The token itself is not stored.
      </p>
      <p>
        The legal basis is Art. 6 (1) (b) GDPR: without it we cannot offer the service. The data is kept until your
        account is deleted.
      </p>
      <p>
        How many matches you import and how many copies of your data you take is counted for a day. These two numbers
        outlive your account until that day is over, so that deleting it does not begin the day's limits anew. They
        stand beside a keyed hash of your Steam ID, never the Steam ID itself (Art. 6 (1) (f) GDPR).
      </p>
      <h2>3. Demo data</h2>
      <p>
        When you import a match we download or receive its demo file and read from it what happened in the match:
        rounds, positions, kills, names, Steam IDs and avatars of the ten players.
      </p>
      <ul>
        <li>
          The demo file itself is deleted <strong>{demoFiles}</strong> after the import.
        </li>
        <li>
          The demo data read from it (the match and its replay, from which clips are made) is kept for up to{" "}
          <strong>{demoData}</strong>.
        </li>
        <li>
          Where players walked is put together over all matches of a map, without names, to draw that map; a match that
          is deleted is left out of it from then on.
        </li>
        <li>
          Generated videos are kept for up to <strong>{videos}</strong>.
        </li>
      </ul>
      <p>
        You can delete your matches and clips at any time before that. A public clip may be watched by{" "}
        {site.members_only ? "everybody who is signed in here" : "everybody"}, and is shown in lists, in feeds and on
        the start page, with your username and avatar. An unlisted clip is in none of these: it is watched by those who
        have its link{site.members_only ? " and are signed in" : ""}.
      </p>
      <p>
        The legal basis is Art. 6 (1) (b) GDPR for you, and Art. 6 (1) (f) GDPR for the other players of a match: the
        interest of players in watching their own matches, of which every participant already has the same recording.
      </p>
      <h2>4. Likes and views</h2>
      <p>
        A like is stored with your account. To count a view once and not many times, a hash of IP address and browser
        identification is stored for some hours; its key changes every day, so that it cannot be traced back afterwards.
      </p>
      <h2>5. Server logs</h2>
      <p>
        The server records technical data of requests: time, address called, status, amount of data, browser
        identification and IP address. It is used to keep the service running and secure (Art. 6 (1) (f) GDPR), and is
        not put together with other data.
      </p>
      <h2>6. Cookies and browser storage</h2>
      <p>
        We use only what is technically necessary: a cookie that keeps you signed in, a cookie that protects forms
        against forgery, a cookie with your time zone so that dates are shown in it, and entries in your browser's
        storage that remember which matches are analysed, which clips you wait for, which uploads are unfinished, and
        whether you switched off moving pictures or sound. There is no advertising and no tracking.
      </p>
      <h2>7. Hosting and recipients</h2>
      <p>
        The service is hosted by {operator.hosting_provider}, which processes data on our behalf (Art. 28 GDPR). Avatars
        are loaded from Steam's servers, and recent matches are requested from a match-history provider with your Steam
        ID when the operator has set one up. Otherwise data is not passed on.
      </p>
      <p>
        When you switch on automatic clips, that provider is asked for your new matches regularly, until you switch them
        off. We keep your choice, and the provider's number of each match that was taken care of, for up to{" "}
        <strong>{demoData}</strong>. When you name a Discord channel or a webhook, we keep its address and send what you
        chose there: names and links of your clips and matches, with the names and Steam IDs of the players in them. A
        log of these messages is kept for <strong>30 days</strong>. Both end when you delete them (Art. 6 (1) (a) and
        (b) GDPR).
      </p>
      <h2>8. Your rights</h2>
      <p>You have the right to</p>
      <ul>
        <li>access to your data (Art. 15 GDPR),</li>
        <li>rectification (Art. 16 GDPR),</li>
        <li>erasure (Art. 17 GDPR),</li>
        <li>restriction of processing (Art. 18 GDPR),</li>
        <li>data portability (Art. 20 GDPR),</li>
        <li>object to processing (Art. 21 GDPR),</li>
        <li>complain to a data protection supervisory authority (Art. 77 GDPR).</li>
      </ul>
      <p>
        In your <a href="/settings/account">settings</a> you can take a copy of what is kept about you, and delete your
        account yourself. The copy has your account, your matches with what their demos tell of you, your clips with
        what they show, your videos, and demos you uploaded. Not in it are the replay of a match, which is of all its
        players, and what only keeps the service running: server logs, hashes of views, jobs and counters of limits. To
        delete your account, or for any other question, contact the operator at{" "}
        <a href={`mailto:${operator.email}`}>{operator.email}</a>.
      </p>
    </LegalPage>
  );
}

export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
