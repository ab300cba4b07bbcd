import { type ClipFormat, clipFormatNames, isClipFormat } from "../../contract/clip-formats.ts";
import {
  type HighlightType,
  highlightCategories,
  highlightLabel,
  highlightTypes,
} from "../../contract/highlight-types.ts";
import { limits } from "../../contract/limits.ts";
import { lookUp } from "../../contract/look-up.ts";
import { textLimits } from "../../contract/text-limits.ts";
import { UsageError } from "./cli-error.ts";
import { oneOf, parsed, seconds, wholeNumbers } from "./option-values.ts";
import { type CommandName, isCommandName } from "./usage.ts";

/** Which highlights of a demo are meant; what is empty or null leaves it open. */
export interface WantedHighlights {
  /** Null: all, or as many as the command thinks best. */
  best: number | null;
  /** Names, parts of names, or Steam IDs. */
  players: string[];
  types: HighlightType[];
  rounds: number[];
  /** Numbers of the table, from 1. */
  picks: number[];
}

export interface AnalyzeCommand {
  name: "analyze";
  /** Files and folders, as they were written. */
  demos: string[];
  wanted: WantedHighlights;
  by: "score" | "round";
  isJson: boolean;
  isQuiet: boolean;
}

/** A clip as it is wished for. */
export interface ClipWish {
  demos: string[];
  wanted: WantedHighlights;
  /** As it was written; null: in the current folder. */
  output: string | null;
  isForced: boolean;
  /** Null: that of the installation. */
  format: ClipFormat | null;
  /** "" for a generated one. */
  title: string;
  order: "match" | "chosen";
  /** Seconds; null: as the website chooses them. */
  leadIn: number | null;
  leadOut: number | null;
  shown: { xray: boolean; hud: boolean; radar: boolean; killfeed: boolean; highlight_info: boolean };
  isQuiet: boolean;
}

export interface ClipCommand extends ClipWish {
  name: "clip";
  /** A folder, instead of demos. */
  watched: string | null;
  isJson: boolean;
}

export interface RecordCommand extends ClipWish {
  name: "record";
}

/** What another program of ours does, which reads the same words once more. */
export interface PassedCommand<Name extends CommandName> {
  name: Name;
  words: string[];
}

export type Command =
  | { name: "help"; about: CommandName | null }
  | { name: "version" }
  | AnalyzeCommand
  | ClipCommand
  | RecordCommand
  | PassedCommand<"serve" | "direction" | "accuracy">;

const ofEveryCommand = {
  help: { type: "boolean", short: "h", default: false },
  quiet: { type: "boolean", short: "q", default: false },
  best: { type: "string" },
  player: { type: "string", multiple: true, default: [] as string[] },
  type: { type: "string", multiple: true, default: [] as string[] },
  round: { type: "string", multiple: true, default: [] as string[] },
  pick: { type: "string", multiple: true, default: [] as string[] },
} as const;

const ofAnalyze = {
  ...ofEveryCommand,
  json: { type: "boolean", default: false },
  by: { type: "string", default: "score" },
} as const;

const ofRecord = {
  ...ofEveryCommand,
  output: { type: "string", short: "o" },
  force: { type: "boolean", short: "f", default: false },
  format: { type: "string" },
  name: { type: "string", default: "" },
  order: { type: "string", default: "match" },
  "lead-in": { type: "string" },
  "lead-out": { type: "string" },
  "no-xray": { type: "boolean", default: false },
  "no-hud": { type: "boolean", default: false },
} as const;

const ofClip = {
  ...ofRecord,
  "no-radar": { type: "boolean", default: false },
  "no-killfeed": { type: "boolean", default: false },
  "no-captions": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  watch: { type: "string" },
} as const;

/**
 * What the words of a command line ask for.
 * @throws UsageError a sentence about what is wrong with them
 */
export function readArguments(words: readonly string[]): Command {
  const [first, ...rest] = words;
  if (first === undefined || first === "--help" || first === "-h") return { name: "help", about: null };
  if (first === "--version" || first === "-V" || first === "version") return { name: "version" };
  if (first === "help") return { name: "help", about: helpTopic(rest[0]) };
  if (first.startsWith("-")) throw new UsageError(`A command comes first, then its options: “${first}” is none.`);
  if (!isCommandName(first)) throw unknownCommand(first);
  if (hasOption(rest, "--help", "-h")) return { name: "help", about: first };
  if (hasOption(rest, "--version", "-V")) return { name: "version" };
  try {
    return readers[first](rest);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message, first) : error;
  }
}

const readers: Record<CommandName, (words: readonly string[]) => Command> = {
  analyze: analyzeCommand,
  clip: clipCommand,
  record: recordCommand,
  direction: directionCommand,
  accuracy: accuracyCommand,
  serve: serveCommand,
};

function helpTopic(word: string | undefined): CommandName | null {
  if (word === undefined || word.startsWith("-") || word === "help" || word === "version") return null;
  if (!isCommandName(word)) throw unknownCommand(word);
  return word;
}

function hasOption(words: readonly string[], ...names: string[]): boolean {
  const end = words.indexOf("--");
  return words.slice(0, end < 0 ? undefined : end).some((word) => names.includes(word));
}

function unknownCommand(word: string): UsageError {
  const wayOut = /\.dem(\.\w+)?$/i.test(word) ? ` Did you mean “clutchcast analyze ${word}”?` : "";
  return new UsageError(`There is no command “${word}”.${wayOut}`);
}

function noDemo(): UsageError {
  return new UsageError("Which demo? Name a file or a folder.");
}

function unknownFormat(word: string): UsageError {
  return new UsageError(`--format is one of ${clipFormatNames.join(", ")}, not “${word}”.`);
}

function analyzeCommand(words: readonly string[]): AnalyzeCommand {
  const { values, positionals } = parsed(words, ofAnalyze);
  if (positionals.length === 0) throw noDemo();
  return {
    name: "analyze",
    demos: positionals,
    wanted: wantedHighlights(values, null),
    by: oneOf("--by", values.by, ["score", "round"]),
    isJson: values.json,
    isQuiet: values.quiet,
  };
}

function clipCommand(words: readonly string[]): ClipCommand {
  const { values, positionals } = parsed(words, ofClip);
  if (values.watch === undefined && positionals.length === 0) throw noDemo();
  if (values.watch !== undefined && positionals.length > 0) {
    throw new UsageError(`--watch makes clips of what is in its folder: leave out “${positionals[0]}”.`);
  }
  if (values.watch === "") throw new UsageError("--watch needs a folder.");
  const shown = {
    radar: !values["no-radar"],
    killfeed: !values["no-killfeed"],
    highlight_info: !values["no-captions"],
  };
  return {
    name: "clip",
    watched: values.watch ?? null,
    isJson: values.json,
    ...clipWish(values, positionals, shown),
  };
}

function recordCommand(words: readonly string[]): RecordCommand {
  const { values, positionals } = parsed(words, ofRecord);
  if (positionals.length === 0) throw noDemo();
  const shown = { radar: true, killfeed: true, highlight_info: true };
  return { name: "record", ...clipWish(values, positionals, shown) };
}

function serveCommand(words: readonly string[]): PassedCommand<"serve"> {
  const { positionals } = parsed(words, { check: { type: "boolean", default: false } });
  if (positionals.length > 0) {
    throw new UsageError(`“serve” takes no “${positionals[0]}”: settings are environment variables, e.g. PORT=3001.`);
  }
  return { name: "serve", words: [...words] };
}

const ofDirection = {
  json: { type: "boolean", default: false },
  faults: { type: "boolean", default: false },
  format: { type: "string", multiple: true, default: [...clipFormatNames] as string[] },
} as const;

function directionCommand(words: readonly string[]): PassedCommand<"direction"> {
  const { values, positionals } = parsed(words, ofDirection);
  const strange = values.format.find((format) => !isClipFormat(format));
  if (strange !== undefined) throw unknownFormat(strange);
  if (positionals.length === 0) throw noDemo();
  return { name: "direction", words: [...words] };
}

function accuracyCommand(words: readonly string[]): PassedCommand<"accuracy"> {
  const { positionals } = parsed(words, {});
  if (positionals.length === 0) throw noDemo();
  return { name: "accuracy", words: [...words] };
}

interface WishWords extends ChoosingWords {
  output?: string | undefined;
  force: boolean;
  format?: string | undefined;
  name: string;
  order: string;
  "lead-in"?: string | undefined;
  "lead-out"?: string | undefined;
  "no-xray": boolean;
  "no-hud": boolean;
  quiet: boolean;
}

function clipWish(values: WishWords, demos: string[], shown: Omit<ClipWish["shown"], "xray" | "hud">): ClipWish {
  if (values.output === "") throw new UsageError("--output needs a file or a folder.");
  const { format } = values;
  if (format !== undefined && !isClipFormat(format)) {
    throw unknownFormat(format);
  }
  if (values.name.length > textLimits.clipName) {
    throw new UsageError(`--name can have at most ${textLimits.clipName} characters.`);
  }
  return {
    demos,
    wanted: wantedHighlights(values, limits.highlightsPerClip),
    output: values.output ?? null,
    isForced: values.force,
    format: format ?? null,
    title: values.name,
    order: oneOf("--order", values.order, ["match", "chosen"]),
    leadIn: seconds("--lead-in", values["lead-in"], limits.preTimeAdjustmentSeconds),
    leadOut: seconds("--lead-out", values["lead-out"], limits.postTimeAdjustmentSeconds),
    shown: { xray: !values["no-xray"], hud: !values["no-hud"], ...shown },
    isQuiet: values.quiet,
  };
}

interface ChoosingWords {
  best?: string | undefined;
  player: string[];
  type: string[];
  round: string[];
  pick: string[];
}

/** @param most how many there can be; null: any number */
function wantedHighlights(values: ChoosingWords, most: number | null): WantedHighlights {
  const picks = values.pick.flatMap((text) => wholeNumbers("--pick", text));
  if (
    picks.length > 0 &&
    (values.best !== undefined || values.player.length + values.type.length + values.round.length > 0)
  )
    throw new UsageError("--pick names the highlights itself: leave out --best, --player, --type and --round.");
  if (most !== null && picks.length > most) {
    throw new UsageError(`A clip shows at most ${most} highlights: --pick names more.`);
  }
  const best = values.best === undefined ? null : Number(values.best || Number.NaN);
  if (best !== null && !(Number.isInteger(best) && best >= 1 && best <= (most ?? Number.MAX_SAFE_INTEGER))) {
    const range = most === null ? "of 1 or more" : `from 1 to ${most}`;
    throw new UsageError(`--best is a whole number ${range}, not “${values.best}”.`);
  }
  const nameless = values.player.some((player) => player.trim() === "");
  if (nameless) throw new UsageError("--player needs a name or a Steam ID.");
  return {
    best,
    players: values.player,
    types: values.type.flatMap((text) => text.split(",").flatMap(highlightTypesOf)),
    rounds: values.round.flatMap((text) => wholeNumbers("--round", text)),
    picks,
  };
}

/** By id, by what players read, or by category; however it is spelt. */
function highlightTypesOf(text: string): readonly HighlightType[] {
  const simple = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, "");
  const category = lookUp<string, readonly HighlightType[]>(highlightCategories, text.trim().toLowerCase());
  if (category) return category;
  const found = highlightTypes.find(
    (type) => simple(type) === simple(text) || simple(highlightLabel(type)) === simple(text),
  );
  if (found) return [found];
  throw new UsageError(`There is no type “${text}”. The types: ${highlightTypes.join(", ")}.`);
}
