import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { decodeReplayTrack } from "../../../replay/decode-track.ts";
import { type StartParseOptions, startParse } from "../start-parse.ts";
import { temporaryFolder, unpackedCase } from "../testing/demo-fixtures.ts";

const scratch = temporaryFolder();
let demo: Buffer;
beforeAll(async () => {
  demo = readFileSync(await unpackedCase("plain-tables", scratch));
});

/** Parses the demo with a property renamed to another name of the same length, since texts in the tables are preceded by their length. */
function parseWithout(property: string, options: StartParseOptions = {}) {
  const bytes = Buffer.from(demo);
  const at = bytes.indexOf(String.fromCharCode(property.length) + property);
  expect(at).toBeGreaterThan(0);
  bytes.write("x", at + 1);
  const directory = mkdtempSync(join(scratch, "job-"));
  const path = join(directory, "demo.dem");
  writeFileSync(path, bytes);
  return startParse({ path, directory, maxBytes: 2 ** 30 }, options);
}

test.each([
  "m_iAccount",
  "m_ArmorValue",
  "m_bIsScoped",
  "m_bHasHelmet",
  "m_bHasDefuser",
  "m_flDuckAmount",
  "m_iItemDefinitionIndex",
  "m_hActiveWeapon",
  "m_iClip1",
  "m_pReserveAmmo",
  "m_hMyWeapons",
  "m_szLastPlaceName",
])("a demo without %s has its highlights and a replay", async (property) => {
  const found = await parseWithout(property);
  if (found.isKnown) throw new Error("Nobody said that it is known.");
  expect(found.highlights.map(({ type }) => type)).toContain("clutch_1v2");
  const { windows } = decodeReplayTrack(gunzipSync(readFileSync(found.trackPath)));
  expect(windows.some(({ players }) => players.some((player) => player?.health.includes(100)))).toBe(true);
});

test.each([
  ["m_iTeamNum", "who plays on which side"],
  ["m_vecX", "where players are"],
  ["m_cellZ", "where players are"],
  ["m_angEyeAngles", "where players look"],
  ["m_lifeState", "who is alive"],
  ["m_iHealth", "who is alive"],
])("a demo without %s is refused after one reading, and says that it does not tell %s", async (property, what) => {
  let readings = 0;
  const onStage: StartParseOptions["onStage"] = (stage, fraction) => {
    if (stage === "extracting_demo" && fraction === 0) readings++;
  };
  await expect(parseWithout(property, { onStage })).rejects.toMatchObject({
    code: "untold",
    message: `The demo does not say ${what}, so nothing of it can be shown. It was recorded without that: try another recording of the match.`,
  });
  expect(readings).toBe(1);
});
