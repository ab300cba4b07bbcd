/**
 * A page whose first picture is its largest part, without the scripts that would come at the same time and be run before it is painted. They
 * are asked for once the browser has painted it. Remix' own tags cannot be told to wait, and React finds in them what it has written:
 * their attributes differ, which it does not look at.
 * @param html as `RemixServer` writes it
 * @param nonce of the page's inline scripts
 * @returns null where it has no such picture
 */
export function scriptsAfterPicture(html: string, nonce: string | undefined): string | null {
  if (!html.includes(' fetchpriority="high"')) return null;
  return html
    .replaceAll('<link rel="modulepreload" ', `<link rel="${held}" `)
    .replace(' type="module" async="">', ` type="${held}">`)
    .replace("</body>", `<script${nonce === undefined ? "" : ` nonce="${nonce}"`}>${letGo}</script></body>`);
}

const held = "later";

/** Picture that never comes, browsers that do not say what they have painted, pages in a tab that nobody sees. */
const waits = { pictureMs: 2500, paintMs: 300 };

// Short names and no room: what each page's scripts may weigh is counted with it.
const letGo = `{let d=document,picture=d.querySelector("img[fetchpriority=high]"),go=()=>{
let held=d.querySelector("[type=${held}]"),script=d.createElement("script");if(!held)return;
d.querySelectorAll("[rel=${held}]").forEach(link=>link.rel="modulepreload");
held.type="";script.type="module";script.nonce=held.nonce;script.text=held.text;d.head.append(script)};
setTimeout(go,${waits.pictureMs});picture?picture.decode().then(()=>setTimeout(go,${waits.paintMs}),go):go();
new PerformanceObserver(seen=>seen.getEntries().some(({element})=>element==picture)&&go()).observe({type:"largest-contentful-paint",buffered:true})}`;
