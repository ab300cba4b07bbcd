import { cleanLine } from "../../contract/clean-text.ts";

/** What became of the files of a form that was sent without JavaScript. */
export interface UploadOutcome {
  taken: number;
  /** Those that were not, each with its reason. */
  refused: readonly { name: string; sentence: string }[];
}

const nameCharacters = 60;
const sentenceCharacters = 300;
/** In one sentence; of more there is the number. An address is no longer than a request's head may be. */
const mostNamed = 20;

/** The page that says it. A form of one file has no need to name it. */
export function outcomeAddress({ taken, refused }: UploadOutcome): string {
  const isOne = taken + refused.length === 1;
  const namesBySentence = new Map<string, string[]>();
  for (const { name, sentence } of refused) {
    namesBySentence.set(sentence, [...(namesBySentence.get(sentence) ?? []), shortName(name)]);
  }
  const query = new URLSearchParams(taken > 0 ? { uploaded: String(taken) } : {});
  for (const [sentence, names] of namesBySentence) {
    const text = sentence.slice(0, sentenceCharacters);
    query.append("uploadProblem", isOne ? text : `${listed(names)}: ${text}`);
  }
  if (refused.length > 0 && !isOne) {
    query.append("uploadProblem", "Choose what is missing, and upload it again.");
  }
  return `/matches?${query}${refused.length > 0 ? "#import-file" : ""}`;
}

/** What the address of My Matches says of an upload. Anybody can write one. */
export function uploadProblemsOf(query: URLSearchParams): string[] {
  const sentences = query.getAll("uploadProblem").map((text) => cleanLine(text));
  return sentences.filter(Boolean).slice(0, mostNamed);
}

/** How many files were uploaded, by such an address. */
export function uploadedOf(query: URLSearchParams): number {
  const text = query.get("uploaded");
  if (text === null) return 0;
  return /^[1-9]\d?$/.test(text) ? Number(text) : 1;
}

function shortName(name: string): string {
  const letters = [...cleanLine(name)];
  return letters.length > nameCharacters ? `${letters.slice(0, nameCharacters).join("")}...` : letters.join("");
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return names.slice(0, mostNamed).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
