import { expect, test } from "vitest";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { ownTableNames, tableNames } from "./stored-tables.ts";

test("every table that the migrations make is named as ours: what is not is in no backup", async () => {
  const { services, remove } = await freshServices("embedded");
  expect(await ownTableNames(services.database)).toEqual(await tableNames(services.database));
  await remove();
});
