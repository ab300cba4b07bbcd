/** Shortens the icons of videos for previews: they are the largest part that a preview loads, and drawn at most 60 pixels wide. */

/** Units of the 512 × 512 square in one unit of a light path. A point moves by at most half a unit: an eighth of a pixel on the screen. */
export const lightStep = 2;

const numbersOf = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };
/** Fractions of a unit for the end of an arc that is almost closed: rounded to whole units it would move or vanish. */
const fineness = 100;

/** @returns {[string, number[]][]} single commands, each with its numbers; repeated ones are written out */
function commandsOf(svg) {
  /** @type {[string, number[]][]} */
  const found = [];
  let at = 0;
  let command = "";
  const read = (pattern) => {
    pattern.lastIndex = at;
    const [whole, value] = pattern.exec(svg) ?? [];
    if (whole === undefined) throw new Error(`No path: ${svg.slice(at, at + 20)}`);
    at += whole.length;
    return value;
  };
  for (read(/([\s,]*)/y); at < svg.length; read(/([\s,]*)/y)) {
    if (/[a-z]/i.test(svg[at])) command = svg[at++];
    else if (/m/i.test(command)) command = command === "M" ? "L" : "l";
    const count = numbersOf[command.toUpperCase()];
    if (count === undefined) throw new Error(`No path command: ${command}`);
    const isFlag = (i) => /a/i.test(command) && (i === 3 || i === 4);
    const numbers = Array.from({ length: count }, (_, i) =>
      Number(read(isFlag(i) ? /[\s,]*([01])/y : /[\s,]*(-?(?:\d+\.?\d*|\.\d+))/y)),
    );
    found.push([command, numbers]);
  }
  return found;
}

/**
 * A path in whole units of `lightStep`. The positions of points are rounded, so errors do not add up.
 * @param {string} svg a path of commands M L H V C S Q T A Z, relative or not
 * @throws Error for anything else
 */
export function lightPath(svg) {
  /** The exact position, and the position that was written. */
  let [x, y, startX, startY] = [0, 0, 0, 0];
  let [atX, atY, startAtX, startAtY] = [0, 0, 0, 0];
  let written = "";
  let last = "";
  const write = (command, numbers) => {
    const isRepeated = command === last || (last === "m" && command === "l");
    if (!isRepeated) written += command;
    for (const [i, number] of numbers.entries()) {
      const digits = String(number).replace(/^(-?)0\./, "$1.");
      written += digits.startsWith("-") || (i === 0 && !isRepeated) ? digits : ` ${digits}`;
    }
    last = command;
  };
  const shortened = (value, part = 1) => Number((Math.round(value * part) / part).toFixed(2));
  for (const [command, numbers] of commandsOf(svg)) {
    const kind = command.toUpperCase();
    if (kind === "Z") {
      write("z", []);
      [x, y, atX, atY] = [startX, startY, startAtX, startAtY];
      continue;
    }
    const [fromX, fromY] = command === kind ? [0, 0] : [x, y];
    const number = (i) => numbers.at(i) ?? 0;
    /** @returns {[number, number]} */
    const point = (i) => [fromX + number(i), fromY + number(i + 1)];
    /** @returns {[number, number]} */
    const step = ([toX, toY], part) => [
      shortened(shortened(toX / lightStep, part) - atX, fineness),
      shortened(shortened(toY / lightStep, part) - atY, fineness),
    ];
    /** @type {[number, number]} */
    let end = [fromX + number(-2), fromY + number(-1)];
    if (kind === "H") end = [fromX + number(0), y];
    if (kind === "V") end = [x, fromY + number(0)];
    const isFineArc = kind === "A" && number(3) === 1;
    const [byX, byY] = step(end, isFineArc ? fineness : 1);
    const stays = byX === 0 && byY === 0;
    if (kind === "M") write("m", [byX, byY]);
    else if ("LHV".includes(kind)) {
      if (!stays)
        write(
          byX === 0 ? "v" : byY === 0 ? "h" : "l",
          [byX, byY].filter((by) => by !== 0),
        );
    } else if (kind === "A") {
      const radius = (i) => shortened(number(i) / lightStep, isFineArc ? 10 : 1) || 0.5;
      if (!stays) write("a", [radius(0), radius(1), ...numbers.slice(2, 5), byX, byY]);
    } else {
      const handles = { C: [0, 2], S: [0], Q: [0], T: [] }[kind].flatMap((i) => step(point(i)));
      write(kind.toLowerCase(), [...handles, byX, byY]);
    }
    [x, y] = end;
    [atX, atY] = [shortened(atX + byX, fineness), shortened(atY + byY, fineness)];
    if (kind === "M") [startX, startY, startAtX, startAtY] = [x, y, atX, atY];
  }
  return written;
}

/**
 * Replaces the paths of `scene/icons/icon-paths.ts` with light ones wherever a page loads it.
 * @returns {import("vite").Plugin}
 */
export function lightIcons() {
  return {
    name: "light-icons",
    enforce: "pre",
    transform(code, id) {
      if (!id.endsWith("/scene/icons/icon-paths.ts")) return undefined;
      return code
        .replace(/iconStep: number = 1;/, `iconStep: number = ${lightStep};`)
        .replaceAll(/path: "([^"]+)"/g, (_, svg) => `path: "${lightPath(svg)}"`);
    },
  };
}
