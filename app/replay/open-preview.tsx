import { useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { groundOf, type PreviewSource, planPreview, trackOf } from "./preview-parts.ts";
import { ReplayViewer } from "./replay-viewer.tsx";
import type { StageSource } from "./use-stage.ts";

/** What stands open: one preview at a time. */
let open: { root: Root; place: HTMLElement; button: HTMLElement } | null = null;

/**
 * Plays a highlight, or all that are ticked, in place: under its card, or above the create button. With the settings and the format
 * that the form has now.
 * @param button of the form: its `value` is the id of a highlight, or "selection"
 */
export function openPreview(button: HTMLButtonElement, matchPath: string, picturesUrl: string): void {
  const source = { matchPath, picturesUrl };
  const { form, value } = button;
  const place = document.getElementById(`preview-${value}`);
  if (!form || !place) return;
  const fields = new FormData(form);
  if (value !== "selection") fields.set("highlight", value);
  close();
  const root = createRoot(place);
  open = { root, place, button };
  place.dataset.open = "";
  root.render(
    <Preview
      title={button.ariaLabel ?? "Preview of the selection"}
      source={source}
      fields={fields}
      still={stillOf(source, fields)}
    />,
  );
}

function close(): void {
  if (!open) return;
  const { root, place, button } = open;
  open = null;
  const hadFocus = place.contains(document.activeElement);
  root.unmount();
  delete place.dataset.open;
  if (hadFocus) button.focus();
}

function stillOf({ picturesUrl }: PreviewSource, fields: FormData): string {
  return `${picturesUrl}highlight-${fields.get("highlight")}.webp`;
}

interface PreviewProps {
  title: string;
  source: PreviewSource;
  fields: FormData;
  still: string;
}

function Preview({ title, source, fields, still }: PreviewProps) {
  const [attempt, setAttempt] = useState({ count: 0, parts: partsOf(source, fields) });
  return (
    <ReplayViewer
      key={attempt.count}
      title={title}
      source={attempt.parts}
      stillUrl={still}
      onClose={close}
      onAgain={() => setAttempt(({ count }) => ({ count: count + 1, parts: partsOf(source, fields) }))}
    />
  );
}

/** Everything is asked for at once: on a slow line a question more is half a second. */
function partsOf(source: PreviewSource, fields: FormData): StageSource {
  const ground = groundOf(source);
  const parts = {
    spec: planPreview(source, fields).then(({ spec }) => spec),
    track: trackOf(source, { highlights: fields.getAll("highlight").join(",") }),
  };
  for (const part of Object.values(parts)) part.catch(() => {});
  return { ...parts, ...ground };
}
