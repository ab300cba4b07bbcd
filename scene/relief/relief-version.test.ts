import { expect, test } from "vitest";
import { crc32 } from "../../replay/track-format.ts";
import { buildClipRelief } from "../clip-scene.ts";
import { joined, walkedArea } from "../testing/synthetic-track.ts";
import { reliefVersion } from "./relief-version.ts";

test("when the same footprints give another relief, the version of kept ones is raised", () => {
  // Stairs, a deck over them, and a hall below the height that parts Nuke's floors.
  const footprints = joined(
    walkedArea(-600, -400, 600, 400, (x) => Math.max(0, Math.min(160, Math.floor(x / 16) * 8))),
    walkedArea(-500, -50, -180, 50, () => 130),
    walkedArea(-300, -300, 300, 300, () => -700),
  );
  const ground = { footprints, windows: [], record: { map: "de_nuke" } };
  const { projection, floorHeight, floors } = buildClipRelief(ground, { width: 320, height: 180 });
  expect(floors).toHaveLength(2);
  const sums = floors.flatMap(({ grid, image }) =>
    [image.rgba, grid.height, grid.edgeDistance].map(({ buffer, byteOffset, byteLength }) =>
      crc32(new Uint8Array(buffer, byteOffset, byteLength)),
    ),
  );
  // Not the same any more? Raise `reliefVersion` and put the new sums here.
  expect([reliefVersion, projection.width, projection.height, floorHeight, ...sums]).toMatchInlineSnapshot(`
    [
      2,
      468,
      306,
      -495,
      679161829,
      2911406596,
      3932702011,
      3596508815,
      2679949867,
      1816541063,
    ]
  `);
});
