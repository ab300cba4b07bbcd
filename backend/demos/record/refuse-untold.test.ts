import { expect, test } from "vitest";
import { temporaryFolder, unpackedCase } from "../testing/demo-fixtures.ts";
import { wantedEvents } from "./demo-events.ts";
import { parseDemo } from "./parse-demo.ts";

const directory = temporaryFolder();

/** Reads a demo as if it had no such events: the parser returns only requested ones. */
async function parseWithout(event: string, demo: string) {
  const path = await unpackedCase(demo, directory);
  const at = wantedEvents.indexOf(event);
  wantedEvents.splice(at, 1);
  try {
    return await parseDemo(path);
  } finally {
    wantedEvents.splice(at, 0, event);
  }
}

test.each([
  ["round_freeze_end", "when its rounds went live"],
  ["player_death", "who killed whom"],
])("a demo without %s is refused and says that it does not tell %s", async (event, what) => {
  await expect(parseWithout(event, "wingman")).rejects.toMatchObject({
    code: "untold",
    message: `The demo does not say ${what}, so nothing of it can be shown. It was recorded without that: try another recording of the match.`,
  });
});

test.each(["begin_new_match", "cs_win_panel_match", "player_blind", "round_officially_ended", "round_start"])(
  "a demo without %s has its rounds and kills",
  async (event) => {
    const { record } = await parseWithout(event, "wingman");
    expect(record.rounds.map(({ number, reason }) => [number, reason])).toEqual([
      [1, "t_eliminated_ct"],
      [2, "t_eliminated_ct"],
      [3, "ct_eliminated_t"],
      [4, "t_eliminated_ct"],
      [5, "bomb_defused"],
    ]);
    expect(record.kills).toHaveLength(11);
  },
);
