/** Why a file is not sent; null when it is. Only the server can check its content. */
export function demoFileProblem({ name, size }: Pick<File, "name" | "size">): string | null {
  if (!/\.(dem|bz2|gz|zst)$/i.test(name)) return "This is not a demo file: .dem, .dem.bz2, .dem.gz or .dem.zst.";
  return size === 0 ? "This file is empty." : null;
}
