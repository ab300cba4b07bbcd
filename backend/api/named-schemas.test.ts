import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { namedSchemas } from "./named-schemas.ts";

const folder = new URL("../../contract/schemas/", import.meta.url);

test("every schema that the contract exports has a name in the OpenAPI document", async () => {
  const named = new Set(namedSchemas.map(([, schema]) => schema));
  for (const file of readdirSync(folder)) {
    const exported: Record<string, unknown> = await import(new URL(file, folder).href);
    for (const [name, value] of Object.entries(exported)) {
      if (value instanceof z.ZodType) expect(named, `${name} of ${file}`).toContain(value);
    }
  }
});
