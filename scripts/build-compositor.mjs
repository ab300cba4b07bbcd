/**
 * Compiles the video compositor from AssemblyScript: backend/video/compositor/assembly/index.ts → compositor.wasm.
 * The result is committed, so that running and building need no compiler; a test compiles it again and compares.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const compositor = new URL("../backend/video/compositor/", import.meta.url);

/**
 * Compiles the compositor.
 * @returns {Promise<Uint8Array>} the module's bytes
 * @throws Error with the compiler's messages
 */
export async function compileCompositor() {
  const source = await readFile(new URL("assembly/index.ts", compositor), "utf8");
  let binary = new Uint8Array();
  const { error, stderr } = await asc.main(
    [
      "index.ts",
      "--outFile",
      "compositor.wasm",
      ...["--optimizeLevel", "3", "--shrinkLevel", "0", "--converge", "--noAssert"],
      ...["--runtime", "stub", "--importMemory", "--initialMemory", "1", "--enable", "simd"],
    ],
    {
      readFile: (name) => (name === "index.ts" ? source : null),
      writeFile: (name, contents) => {
        if (name === "compositor.wasm") binary = Uint8Array.from(Buffer.from(contents));
      },
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`The compositor does not compile:\n${stderr.toString()}`);
  return binary;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(new URL("compositor.wasm", compositor), await compileCompositor());
}
