import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const installed = "/usr/share/fonts";

/**
 * The environment for a browser that has only these fonts. For Linux, where Chromium finds fonts through fontconfig.
 * @param names of files, anywhere below /usr/share/fonts
 * @param folder new, and kept while the browser runs
 * @throws Error when one is not installed
 */
export function environmentWithFonts(names: readonly string[], folder: string): Record<string, string> {
  const all = readdirSync(installed, { recursive: true, encoding: "utf8" });
  const fonts = join(folder, "fonts");
  mkdirSync(fonts, { recursive: true });
  for (const name of names) {
    const path = all.find((found) => basename(found) === name);
    if (!path) throw new Error(`${name} is not installed: scripts/test-programs.mjs names its package.`);
    copyFileSync(join(installed, path), join(fonts, name));
  }
  const settings = join(folder, "fonts.conf");
  writeFileSync(settings, `<fontconfig><dir>${fonts}</dir><cachedir>${folder}/cache</cachedir></fontconfig>\n`);
  return { ...(process.env as Record<string, string>), FONTCONFIG_FILE: settings };
}
