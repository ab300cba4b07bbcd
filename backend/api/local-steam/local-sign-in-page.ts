import { html } from "hono/html";

/** A player of the bundled sample match, so that newcomers find themselves in it. */
const example = { steamId: "76561199999900009", personaName: "sable." };

export interface LocalSignInPage {
  action: string;
  /** Fields of the OpenID request, carried through the form. */
  hidden: Record<string, string>;
  cancelAddress: string;
  /** The problem with the last try, null on the first. */
  problem: string | null;
  /** The value typed in the last try. */
  steamId: string | null;
  personaName: string | null;
}

/** The page of the built-in identity provider: one form without scripts or anything from other servers. */
export function localSignInPage(page: LocalSignInPage) {
  const problem = page.problem ? html`<p class="problem" id="problem" role="alert">${page.problem}</p>` : "";
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="dark">
<link rel="icon" href="data:,">
<title>Local sign-in – Clutchcast</title>
<style>
*{box-sizing:border-box}
html{background:#070a11;color:#eef3fb;color-scheme:dark;font:100%/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1.5rem;
background:radial-gradient(60rem 32rem at 85% -12rem,rgb(255 90 103/.16),transparent 70%),
radial-gradient(56rem 34rem at 5% -10rem,rgb(93 178 255/.14),transparent 70%) no-repeat #070a11}
main{width:100%;max-width:27rem;padding:clamp(1.5rem,5vw,2.25rem);background:linear-gradient(180deg,#162031,#101724 7rem);
border:1px solid #223049;border-radius:14px}
.brand{display:flex;align-items:center;gap:.6rem;margin:0 0 1.5rem;font-weight:800;letter-spacing:.08em;text-transform:uppercase;font-size:.95rem}
.brand svg{width:1.1rem;height:1.1rem;flex:none}
h1{margin:0 0 .5rem;font-size:1.6rem;line-height:1.15;letter-spacing:-.01em}
p{margin:0 0 1.25rem;color:#a9b6cc}
.problem{padding:.65rem .85rem;border:1px solid #ff7280;border-radius:10px;color:#ffd3d8;background:rgb(255 90 103/.12)}
label{display:block;margin:0 0 .35rem;font-weight:600}
input{width:100%;min-height:48px;margin:0 0 .3rem;padding:.6rem .85rem;font:inherit;color:#eef3fb;background:#070a11;
border:1px solid #4a5f87;border-radius:10px}
.hint{margin:0 0 1.1rem;font-size:.875rem;color:#a9b6cc}
button,.cancel{display:block;width:100%;min-height:48px;padding:.7rem 1rem;border-radius:10px;font:inherit;font-weight:700;text-align:center}
button{margin-top:1.4rem;border:0;background:#ff5a67;color:#14060a;cursor:pointer}
button:hover{background:#ff7280}
.cancel{margin-top:.6rem;color:#a9b6cc;font-weight:600}
:focus-visible{outline:3px solid #5db2ff;outline-offset:3px}
</style>
</head>
<body>
<main>
<p class="brand"><svg viewBox="0 0 16 16" aria-hidden="true"><path fill="#ff5a67" d="M2 1l12 7-12 7z"/></svg>Clutchcast</p>
<h1>Sign in on this machine</h1>
<p>This server has no public address, so this page stands in for Steam. Pick any player: the one below played in the sample match.</p>
${problem}
<form method="post" action="${page.action}">
${Object.entries(page.hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label for="steam_id">SteamID64</label>
<input id="steam_id" name="steam_id" value="${page.steamId ?? example.steamId}" required inputmode="numeric" pattern="[0-9]{17}" maxlength="17" title="17 digits" autocomplete="off" spellcheck="false" aria-describedby="steam_id_hint${page.problem ? " problem" : ""}">
<p class="hint" id="steam_id_hint">17 digits. Matches and clips belong to this number.</p>
<label for="persona_name">Name</label>
<input id="persona_name" name="persona_name" value="${page.personaName ?? example.personaName}" required maxlength="64" autocomplete="off" spellcheck="false">
<button type="submit">Sign in</button>
</form>
<a class="cancel" href="${page.cancelAddress}">Cancel</a>
</main>
</body>
</html>`;
}
