import { expect, test } from "vitest";
import { readProfileXml } from "./profile-xml.ts";

test("Elements right below the root are read, CDATA and entities included", () => {
  const elements = readProfileXml(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <profile><steamID64>76561197960435530</steamID64><steamID><![CDATA[a <b> & c]]></steamID>
    <realname>Robin &amp; &#82;&#x6f;</realname><mostPlayedGames><game><name>x</name></game></mostPlayedGames>
    <avatarFull><![CDATA[https://avatars.example/full.jpg]]></avatarFull></profile>`);
  expect(elements.get("steamID64")).toBe("76561197960435530");
  expect(elements.get("steamID")).toBe("a <b> & c");
  expect(elements.get("realname")).toBe("Robin & Ro");
  expect(elements.get("avatarFull")).toBe("https://avatars.example/full.jpg");
  expect(elements.has("name")).toBe(false);
});

test("A name cannot pass for another element", () => {
  const elements = readProfileXml(
    "<profile><steamID64>1</steamID64><steamID><![CDATA[</steamID><steamID64>2</steamID64>]]></steamID></profile>",
  );
  expect(elements.get("steamID64")).toBe("1");
  expect(elements.get("steamID")).toBe("</steamID><steamID64>2</steamID64>");
});

test("A name with the end of a CDATA section in it stays whole", () => {
  const elements = readProfileXml("<profile><steamID><![CDATA[a]]]]><![CDATA[>b]]></steamID></profile>");
  expect(elements.get("steamID")).toBe("a]]>b");
});

test("Declared entities are not expanded, and nothing behind the groups is read", () => {
  const elements = readProfileXml(`<!DOCTYPE profile [<!ENTITY x SYSTEM "file:///etc/passwd">]>
    <profile><steamID>&x;</steamID><groups><group/></groups><avatarFull>late</avatarFull></profile>`);
  expect(elements.get("steamID")).toBe("&x;");
  expect(elements.has("avatarFull")).toBe(false);
});

test("What is no profile gives nothing", () => {
  for (const text of ["", "<html><body>Sorry</body></html>", "not xml", "<profile><steamID>open"]) {
    expect(readProfileXml(text).get("steamID64")).toBeUndefined();
  }
});

test.each([
  ["beginnings of CDATA", "<![CDATA["],
  ["beginnings of tags", "<a"],
  ["beginnings of comments", "<!--"],
  ["beginnings of instructions", "<?"],
  ["tags that stay open", "<a>"],
  ["brackets", "<"],
  ["beginnings of entities", "&#x"],
])("A document of nothing but %s is read in one pass", (_, repeated) => {
  const hostile = `<profile><steamID64>1</steamID64><steamID>${repeated.repeat(256 * 1024)}`.slice(0, 256 * 1024);
  const begunAt = performance.now();
  expect(readProfileXml(hostile).get("steamID64")).toBe("1");
  // One pass takes milliseconds; starting again at every tag took four to twenty seconds.
  expect(performance.now() - begunAt).toBeLessThan(1000);
});

test("A comment is passed over, whatever is in it", () => {
  const elements = readProfileXml("<profile><!-- <steamID>x</steamID> --><steamID>a</steamID></profile>");
  expect(elements.get("steamID")).toBe("a");
});
