import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./cli-error.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** The options and other words of a command. @throws UsageError */
export function parsed<Known extends Options>(words: readonly string[], options: Known) {
  try {
    return parseArgs({
      args: withNegativeNumbers(words),
      options,
      allowPositionals: true as const,
      strict: true as const,
    });
  } catch (error) {
    throw new UsageError(complaintOf(error));
  }
}

/** `--lead-out -1` means what `--lead-out=-1` does: no option of ours begins with a digit. */
function withNegativeNumbers(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1) ?? "";
    if (/^-\d/.test(word) && /^--[a-z-]+$/.test(last)) joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return joined;
}

/** Node's words, as far as they are of use to whoever wrote the command. */
function complaintOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const named = /'([^']*)'/.exec(message)?.[1] ?? "";
  const option = named.replace(/ <value>$/, "").replace(/^-\w, /, "");
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") return `There is no option “${option}”.`;
  if (code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") {
    if (/does not take an argument/.test(message)) return `“${option}” takes no value.`;
    return `“${option}” needs a value.`;
  }
  return message.split("\n")[0] ?? "";
}

/** @throws UsageError when the value is none of the choices */
export function oneOf<Choice extends string>(option: string, value: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new UsageError(`${option} is ${choices.join(" or ")}, not “${value}”.`);
  return found;
}

/** @throws UsageError when it is no number in the range */
export function seconds(option: string, value: string | undefined, range: { min: number; max: number }): number | null {
  if (value === undefined) return null;
  const number = value.trim() === "" ? Number.NaN : Number(value);
  if (!(number >= range.min && number <= range.max)) {
    throw new UsageError(`${option} is a number of seconds from ${range.min} to ${range.max}, not “${value}”.`);
  }
  return number;
}

/** @throws UsageError when the text is not numbers of 1 or more with commas */
export function wholeNumbers(option: string, text: string): number[] {
  return text.split(",").map((part) => {
    if (!/^\s*\d{1,6}\s*$/.test(part) || Number(part) === 0) {
      throw new UsageError(`${option} is a number of 1 or more, or some with commas, not “${text}”.`);
    }
    return Number(part);
  });
}
