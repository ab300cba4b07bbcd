import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { html } from "hono/html";

/** docs/api.md where the sources are; the build copies it beside the bundle. */
const places = ["../../docs/api.md", "./api.md"].map((place) => fileURLToPath(new URL(place, import.meta.url)));

/** The guide for script writers as Markdown. */
function guideText(): string {
  const path = places.find((place) => existsSync(place));
  if (!path) throw new Error("docs/api.md is not there: build anew.");
  return readFileSync(path, "utf8");
}

/** The guide's HTML: headings, paragraphs, lists and code, which is all the Markdown that it uses. */
export function guideContent() {
  return joinedCode(guideText().split(/\n{2,}/)).map(block);
}

/** Blank lines part blocks, but not within code. */
function joinedCode(blocks: readonly string[]): string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const part of blocks) {
    if (isOpen) joined[joined.length - 1] += `\n\n${part}`;
    else joined.push(part);
    if ((part.match(/^```/gm)?.length ?? 0) % 2 === 1) isOpen = !isOpen;
  }
  return joined.map((text) => text.trim()).filter(Boolean);
}

function block(text: string) {
  const [, level, title = ""] = /^(#{1,3}) (.+)$/s.exec(text) ?? [];
  if (level === "#") return html`<h1>${title}</h1>`;
  if (level) return html`<h2>${title}</h2>`;
  const [, code] = /^```\w*\n(.*)\n```$/s.exec(text) ?? [];
  if (code !== undefined) return html`<pre tabindex="0"><code>${code}</code></pre>`;
  if (text.startsWith("- "))
    return html`<ul>${text
      .slice(2)
      .split(/\n- /)
      .map((item) => html`<li>${spans(item)}</li>`)}</ul>`;
  return html`<p>${spans(text)}</p>`;
}

/** Code between back quotes, and what stands out between two stars. */
function spans(text: string) {
  return text
    .split("`")
    .map((part, index) =>
      index % 2 === 1
        ? html`<code>${part}</code>`
        : part.split("**").map((plain, place) => (place % 2 === 1 ? html`<strong>${plain}</strong>` : plain)),
    );
}
