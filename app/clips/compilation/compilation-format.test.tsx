import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { ClipFormat } from "../../../contract/clip-formats.ts";
import { planCompilation } from "./chosen-clips.ts";
import { CompilationFormat } from "./compilation-format.tsx";

const clip = (id: number, ...formats: ClipFormat[]) => ({
  ...{ id, name: `Clip ${id}`, map: "Nuke", seconds: 10, thumbnailUrl: null, formats },
});

/** The format that is chosen when the page comes. */
function chosenFormat(asked: ClipFormat | null): string | undefined {
  const chosen = [clip(1, "720p", "1080p"), clip(2, "1080p", "720p")];
  const page = renderToStaticMarkup(<CompilationFormat chosen={chosen} plan={planCompilation(chosen)} asked={asked} />);
  return /<input[^>]* checked=""[^>]*>/.exec(page)?.[0].match(/value="([^"]*)"/)?.[1];
}

test("the format of a form that was refused stays chosen, else the first clip's is", () => {
  expect(chosenFormat(null)).toBe("720p");
  expect(chosenFormat("1080p")).toBe("1080p");
});
