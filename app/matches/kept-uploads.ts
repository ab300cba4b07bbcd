/** An upload that is not finished, and the file that it is of. */
interface KeptUpload {
  id: string;
  file: string;
}

const storageKey = "unfinished-uploads";
/** A player has four on the server; other players of this browser have their own. */
const mostKept = 8;

/** What a file is recognised by when it is chosen again. */
export const fileIdentity = ({ name, size, lastModified }: File) => `${size} ${lastModified} ${name}`;

/** The id of a file's unfinished upload; null if none is known. */
export function keptUpload(file: string): string | null {
  return all().find((kept) => kept.file === file)?.id ?? null;
}

export function keepUpload(file: string, id: string): void {
  write([{ id, file }, ...all().filter((kept) => kept.file !== file)].slice(0, mostKept));
}

export function forgetUpload(file: string): void {
  write(all().filter((kept) => kept.file !== file));
}

function all(): KeptUpload[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => each && typeof each.id === "string") : [];
  } catch {
    return [];
  }
}

function write(kept: readonly KeptUpload[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // Without a memory the file begins anew after the tab was closed.
  }
}
