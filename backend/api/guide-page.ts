import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { html } from "hono/html";

/** docs/api.md in the source tree; the build puts a copy beside the bundle. */
const places = ["../../docs/api.md", "./api.md"].map((place) => fileURLToPath(new URL(place, import.meta.url)));

/** The guide for script writers as Markdown. */
function guideText(): string {
  const path = places.find((place) => existsSync(place));
  if (!path) throw new Error("docs/api.md is not there: build anew.");
  return readFileSync(path, "utf8");
}

/** The guide as HTML. Headings, paragraphs, lists and code are all the Markdown that it uses. */
export function guideContent() {
  return rejoinCodeBlocks(guideText().split(/\n{2,}/)).map(renderBlock);
}

/** Joins code blocks again that were split at their blank lines. */
function rejoinCodeBlocks(blocks: readonly string[]): string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const part of blocks) {
    if (isOpen) joined[joined.length - 1] += `\n\n${part}`;
    else joined.push(part);
    if ((part.match(/^```/gm)?.length ?? 0) % 2 === 1) isOpen = !isOpen;
  }
  return joined.map((text) => text.trim()).filter(Boolean);
}

function renderBlock(text: string) {
  const [, level, title = ""] = /^(#{1,3}) (.+)$/s.exec(text) ?? [];
  if (level === "#") return html`<h1>${title}</h1>`;
  if (level) return html`<h2>${title}</h2>`;
  const [, code] = /^```\w*\n(.*)\n```$/s.exec(text) ?? [];
  if (code !== undefined) return html`<pre tabindex="0"><code>${code}</code></pre>`;
  if (text.startsWith("- "))
    return html`<ul>${text
      .slice(2)
      .split(/\n- /)
      .map((item) => html`<li>${inlineMarkup(item)}</li>`)}</ul>`;
  return html`<p>${inlineMarkup(text)}</p>`;
}

/** Code between backquotes, and bold text between double asterisks. */
function inlineMarkup(text: string) {
  return text
    .split("`")
    .map((part, index) =>
      index % 2 === 1
        ? html`<code>${part}</code>`
        : part.split("**").map((plain, place) => (place % 2 === 1 ? html`<strong>${plain}</strong>` : plain)),
    );
}
