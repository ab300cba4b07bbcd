/**
 * Reads the elements right below the root of a profile document (https://steamcommunity.com/profiles/{id}/?xml=1) as text,
 * up to `<groups>`, behind which nothing of interest comes. Deliberately no XML library: entities are not declared here, so
 * none can be expanded or fetched, and what a name carries inside its CDATA is never taken for an element.
 * @returns the text of each element by name; empty for what is no such document
 */
export function readProfileXml(xml: string): Map<string, string> {
  const elements = new Map<string, string>();
  const token = /<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([A-Za-z][\w.-]*)[^>]*?(\/?)>|<[?!][^>]*>|([^<]+)/g;
  const open: string[] = [];
  for (const [, cdata, closing, name, selfClosing, text] of xml.matchAll(token)) {
    const current = open[1];
    if (name === undefined) {
      if (open.length === 2 && current) {
        elements.set(current, (elements.get(current) ?? "") + (cdata ?? decodeEntities(text ?? "")));
      }
    } else if (closing) {
      if (open.pop() !== name) break;
    } else if (name === "groups") {
      break;
    } else if (!selfClosing) {
      open.push(name);
      if (open.length === 2 && elements.has(name)) break;
    }
  }
  return elements;
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
