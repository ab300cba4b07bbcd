import { expect, test } from "vitest";
import { crc32 } from "../../replay/track-format.ts";
import { joined, walkedArea } from "../testing/synthetic-track.ts";
import { buildRelief } from "./build-relief.ts";
import { reliefVersion } from "./relief-version.ts";

test("when the same footprints give another relief, the version of kept ones is raised", () => {
  const footprints = joined(
    walkedArea(-600, -400, 600, 400, (x) => Math.max(0, Math.min(160, Math.floor(x / 16) * 8))),
    walkedArea(-500, -50, -180, 50, () => 130),
  );
  const { floors } = buildRelief(footprints, { map: "de_test", finestScale: 0.2, maxPixels: 200_000 });
  const { grid, image } = floors[0]!;
  const sums = [
    new Uint8Array(image.rgba.buffer),
    new Uint8Array(grid.height.buffer),
    new Uint8Array(grid.edgeDistance.buffer),
  ];
  // Not the same any more? Raise `reliefVersion` and put the new sums here.
  expect([reliefVersion, ...sums.map(crc32)]).toMatchInlineSnapshot(`
    [
      1,
      2339392000,
      515136597,
      3155595626,
    ]
  `);
});
