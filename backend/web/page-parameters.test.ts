import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withoutUnreadFields } from "./page-parameters.ts";

const app = new URL("../../app/", import.meta.url).pathname;

/** Field names that pages read from an address as a literal, or write into forms that become one. */
function fieldsOfPages(): Map<string, string> {
  const files = readdirSync(app, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(?<!\.test)\.tsx?$/.test(file),
  );
  const fields = new Map<string, string>();
  for (const file of files) {
    const source = readFileSync(join(app, file), "utf8");
    const asked = source.matchAll(
      /(?:query|searchParams|address|asked|useSearchParams\(\)\[0\])\.(?:get|getAll|has)\("(\w+)"\)/g,
    );
    const named = source.matchAll(/export const \w+Field = "(\w+)"/g);
    for (const [, name = ""] of [...asked, ...named]) fields.set(name, file);
  }
  return fields;
}

test("Every field of an address that a page reads is one of a shared page's address", () => {
  const fields = fieldsOfPages();
  expect(fields.size).toBeGreaterThan(25);
  const lost = [...fields].filter(([name]) => {
    const address = new URL(`http://localhost/?${name}=1`);
    return withoutUnreadFields(address).href !== address.href;
  });
  expect(lost).toEqual([]);
});

test("Fields that no page reads are left out, and the others stay as they are", () => {
  const shown = withoutUnreadFields(new URL("http://localhost/?clip=2&gclid=x&clip=1&utm_source=a%20b"));
  expect(shown.href).toBe("http://localhost/?clip=2&clip=1");
  const address = new URL("http://localhost/clips/5?t=3#x");
  expect(withoutUnreadFields(address)).toBe(address);
});
