import { gzipSync } from "node:zlib";
import { createCanvas, Path2D } from "@napi-rs/canvas";
import { expect, test } from "vitest";
import { iconPaths, iconStep } from "../../scene/icons/icon-paths.ts";
import { lightIcons, lightPath, lightStep } from "../../scripts/light-icons.mjs";

/** As wide as the widest icon of a preview. */
const drawnSize = 66;

/** How much of each pixel a path covers, 0 to 255. */
function drawn(svg: string, step: number): number[] {
  const context = createCanvas(drawnSize, drawnSize).getContext("2d");
  context.scale((drawnSize / 512) * step, (drawnSize / 512) * step);
  context.fill(new Path2D(svg));
  return [...context.getImageData(0, 0, drawnSize, drawnSize).data].filter((_, at) => at % 4 === 3);
}

test("a light icon looks like the icon of the video, and is shorter", () => {
  const off = Object.entries(iconPaths).map(([name, { path }]) => {
    const [whole, light] = [drawn(path, iconStep), drawn(lightPath(path), lightStep)];
    const ink = whole.reduce((sum, value) => sum + value, 0);
    return { name, share: whole.reduce((sum, value, at) => sum + Math.abs(value - (light[at] ?? 0)), 0) / ink };
  });
  expect(off.filter(({ share }) => share > 0.12)).toEqual([]);
  const size = (paths: string[]) => gzipSync(JSON.stringify(paths), { level: 9 }).length;
  const paths = Object.values(iconPaths).map(({ path }) => path);
  expect(size(paths.map(lightPath)) / size(paths)).toBeLessThan(0.65);
});

test("a path that goes back to where it began, arcs and all, is the same one with fewer digits", () => {
  expect(lightPath("M10 10h20v20H10z")).toBe("m5 5h10v10h-10z");
  expect(lightPath("m10.2 9.9l.1 .1L30 30zm4 0c1 1 2 2 8 8s2 2 4 4")).toBe("m5 5 10 10zm2 0c1 0 1 1 4 4s1 1 2 2");
  // A circle's end is nearly its beginning.
  expect(lightPath("M256 136A176 176 0 1 1 255.9 136Z")).toBe("m128 68a88 88 0 1 1-.05 0z");
  expect(() => lightPath("M1 2B3 4")).toThrow("No path command: B");
  expect(() => lightPath("M1")).toThrow("No path");
});

test("pages get the light paths and the step that they are drawn with; other modules stay", () => {
  const { transform } = lightIcons() as unknown as { transform(code: string, id: string): string | undefined };
  const source = 'a: { path: "M10 10h20v20H10z" }\nexport const iconStep: number = 1;';
  expect(transform(source, "/x/scene/icons/icon-paths.ts")).toBe(
    `a: { path: "m5 5h10v10h-10z" }\nexport const iconStep: number = ${lightStep};`,
  );
  expect(transform(source, "/x/scene/icons/other.ts")).toBeUndefined();
});
