import { useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { limits } from "../../../contract/limits.ts";
import { prepareStage, stillsAddress } from "../early-parts.ts";
import type { ToStage } from "../stage-messages.ts";
import { avatarsOf, groundOf, PreviewProblem, type PreviewSource, planPreview, trackOf } from "./preview-parts.ts";
import { ReplayViewer } from "./replay-viewer.tsx";
import type { StageSource } from "./stage-player.ts";

/** The open preview: one at a time. */
let open: { root: Root; place: HTMLElement; button: HTMLElement } | null = null;

/** Closes the preview when following a link or sorting the cards removes its place: sound and worker would go on. */
const removal = new MutationObserver(() => {
  if (!open?.place.isConnected) close();
});

/** Loads what every preview of the match needs, for somebody who points at its control or reaches it by keyboard and may press it. */
export async function preparePreview(
  { form }: HTMLButtonElement,
  matchPath: string,
  picturesUrl: string,
): Promise<void> {
  if (open) return;
  const text = form?.textContent ?? "";
  const load = (isRareToo: boolean) =>
    prepareStage()?.postMessage({ type: "letters", text, isRareToo } satisfies ToStage);
  load(false);
  await groundOf({ matchPath, picturesUrl }).small.catch(() => {});
  // If the control was pressed meanwhile, the preview loads them itself.
  if (!open) load(true);
}

/**
 * Plays a highlight under its card, or all ticked ones above the cards, with the form's current settings and format.
 * @param button of the form: its `value` is the id of a highlight, or "selection"
 */
export function openPreview(button: HTMLButtonElement, matchPath: string, picturesUrl: string): void {
  const source = { matchPath, picturesUrl };
  const { form, value } = button;
  const around = button.closest("li") ?? form?.querySelector(".highlight-list");
  if (!form || !around) return;
  const fields = new FormData(form);
  const stillsPage = stillsAddress(matchPath, fields, value);
  if (value !== "selection") fields.set("highlight", value);
  close();
  // Unfolded settings would cover its controls; in layouts where they are beside it, they do not unfold.
  form.querySelector<HTMLElement>('.match-bar .unfolder[aria-expanded="true"]')?.click();
  const place = document.createElement("div");
  place.className = "preview-place";
  if (value === "selection") around.prepend(place);
  else around.append(place);
  const root = createRoot(place);
  open = { root, place, button };
  removal.observe(document.body, { childList: true, subtree: true });
  root.render(
    <Preview
      title={button.getAttribute("aria-label") ?? "Preview of the selection"}
      source={source}
      fields={fields}
      stillsPage={stillsPage}
      letters={form.textContent ?? ""}
    />,
  );
}

function close(): void {
  if (!open) return;
  const { root, place, button } = open;
  open = null;
  removal.disconnect();
  const hadFocus = place.contains(document.activeElement);
  root.unmount();
  place.remove();
  if (hadFocus) button.focus();
}

interface PreviewProps {
  title: string;
  source: PreviewSource;
  fields: FormData;
  stillsPage: string;
  letters: string;
}

function Preview({ title, source, fields, stillsPage, letters }: PreviewProps) {
  const again = () => ({ ...partsOf(source, fields), letters });
  const [parts, setParts] = useState(again);
  return (
    <ReplayViewer
      title={title}
      source={parts}
      stills={highlightsOf(fields).map((id) => `${source.picturesUrl}highlight-${id}.webp`)}
      stillsPage={stillsPage}
      onClose={close}
      onAgain={() => setParts(again())}
    />
  );
}

const highlightsOf = (fields: FormData) => fields.getAll("highlight").slice(0, limits.highlightsPerClip);

/** Requests everything at once: on a slow line each further round trip takes half a second. */
function partsOf(source: PreviewSource, fields: FormData): StageSource {
  const highlights = fields.getAll("highlight");
  const isChoice = highlights.length > 0 && highlights.length <= limits.highlightsPerClip;
  const refused = () => Promise.reject(new PreviewProblem("Tick one to five highlights to see the clip they become."));
  const spec = isChoice ? planPreview(source, fields).then((plan) => plan.spec) : refused();
  const track = isChoice ? trackOf(source, { highlights: highlights.join(",") }) : refused();
  // Awaited later; until then a rejection would count as unhandled.
  for (const part of [spec, track]) part.catch(() => {});
  return { spec, track: () => track, ...groundOf(source), avatars: () => avatarsOf(source) };
}
