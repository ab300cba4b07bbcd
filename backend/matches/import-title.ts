import { boundedLine } from "../../contract/clean-text.ts";
import { textLimits } from "../../contract/text-limits.ts";
import type { MatchRow } from "../storage/schema.ts";

/** A file's name without the folders that some browsers and scripts put before it, as a title takes it. @returns null for nothing */
export function cleanFileName(name: string): string | null {
  return boundedLine(name.split(/[\\/]/).at(-1) ?? "", textLimits.id) || null;
}

/** What an import is called until its map is known: the name of its file. @returns "" when there is none */
export function importTitle({
  source,
  file_name,
  demo_url,
}: Pick<MatchRow, "source" | "file_name" | "demo_url">): string {
  if (source === "sample") return "Sample match";
  return file_name ?? (demo_url ? (fileOfAddress(demo_url) ?? "") : "");
}

function fileOfAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const last = new URL(address).pathname.split("/").filter(Boolean).at(-1) ?? "";
  try {
    return cleanFileName(decodeURIComponent(last));
  } catch {
    return cleanFileName(last);
  }
}
