/** Ends the process with a sentence when Node is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Clutchcast needs Node 20.19 or newer, this is ${process.versions.node}. See https://nodejs.org/`);
    process.exit(1);
  }
}
