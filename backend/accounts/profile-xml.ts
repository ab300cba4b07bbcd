/** A real profile has ten thousand characters before its groups; the rest is not read. */
const maxCharacters = 256 * 1024;

/** The start of a tag. */
const tagBegin = /<(\/?)([A-Za-z][\w.-]*)/y;

/** Start and end of markup other than tags; only the first kind contains text. */
const marks = [
  { begin: "<![CDATA[", end: "]]>" },
  { begin: "<!--", end: "-->" },
  { begin: "<!", end: ">" },
  { begin: "<?", end: ">" },
] as const;

/**
 * Reads the elements directly below the root of a profile document (https://steamcommunity.com/profiles/{id}/?xml=1) as text, up to
 * `<groups>`, after which nothing is of interest. Deliberately no XML library: no entities are declared here, so none can be expanded or
 * fetched, and the CDATA of a name is never taken for an element. It reads in one pass and stops at unclosed or invalid XML, so that no
 * document can make it slow.
 * @returns the text of each element by name; empty for another kind of document
 */
export function readProfileXml(document: string): Map<string, string> {
  const xml = document.slice(0, maxCharacters);
  const elements = new Map<string, string>();
  const open: string[] = [];
  const addText = (text: string) => {
    const current = open[1];
    if (open.length === 2 && current) elements.set(current, (elements.get(current) ?? "") + text);
  };
  for (let at = 0; at < xml.length; ) {
    const begin = xml.indexOf("<", at);
    if (begin !== at) addText(decodeEntities(xml.slice(at, begin < 0 ? undefined : begin)));
    if (begin < 0) break;
    const mark = marks.find((known) => xml.startsWith(known.begin, begin));
    if (mark) {
      const end = xml.indexOf(mark.end, begin + mark.begin.length);
      if (end < 0) break;
      if (mark.begin === "<![CDATA[") addText(xml.slice(begin + mark.begin.length, end));
      at = end + mark.end.length;
      continue;
    }
    tagBegin.lastIndex = begin;
    const [, closing, name] = tagBegin.exec(xml) ?? [];
    const end = name === undefined ? -1 : xml.indexOf(">", tagBegin.lastIndex);
    if (name === undefined || end < 0) break;
    at = end + 1;
    if (closing) {
      if (open.pop() !== name) break;
    } else if (name === "groups") {
      break;
    } else if (xml[end - 1] !== "/") {
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
