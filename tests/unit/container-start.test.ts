import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const script = fileURLToPath(new URL("../../scripts/container-start.sh", import.meta.url));
const user = { uid: 1234, gid: 2345 };
/** The container's user has to get through to its folders, which a TMPDIR of root's own does not let it. */
const place = [tmpdir(), "/tmp", "/var/tmp"].find((path) => spawnSync("test", ["-x", path], user).status === 0);
/** Only root gives folders away: elsewhere the image's own tests do. */
const canGive = place !== undefined && spawnSync("setpriv", ["--version"]).status === 0;

/** With that mode whatever the umask: what `mode` gives a new file, the umask takes away. */
function write(path: string, text: string, mode: number): void {
  writeFileSync(path, text);
  chmodSync(path, mode);
}

/** As the image starts, with a program in the server's place that writes a backup. */
function start(environment: Record<string, string>) {
  const folder = mkdtempSync(join(place ?? tmpdir(), "container-start-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  // The one command that does not begin in /app.
  const program = join(folder, "clutchcast");
  write(program, '#!/bin/sh\n: > "$BACKUP_DIR/clutchcast-2026-11-24.backup" && id -u\n', 0o755);
  const backups = join(folder, "backups");
  const settings = {
    DATA_DIR: join(folder, "data"),
    BACKUP_DIR: backups,
    PUID: `${user.uid}`,
    PGID: `${user.gid}`,
    ...environment,
  };
  const run = () =>
    spawnSync("sh", [script, "clutchcast"], {
      env: { NODE_ENV: "test", PATH: `${folder}${delimiter}${process.env.PATH}`, ...settings },
      encoding: "utf8",
    });
  return { folder, backups, run };
}

const ownerOf = (path: string) => `${statSync(path).uid}:${statSync(path).gid}`;

test.runIf(canGive)("the container gives BACKUP_DIR to its user, with the backups in it and nothing else", () => {
  const { backups, run } = start({});
  mkdirSync(backups);
  chmodSync(backups, 0o755);
  const [kept, other] = [join(backups, "clutchcast-2026-11-23.backup"), join(backups, "holiday.jpg")];
  for (const path of [kept, other]) write(path, "", 0o600);
  expect(run()).toMatchObject({ status: 0, stdout: "1234\n" });
  expect([backups, kept, other].map(ownerOf)).toEqual(["1234:2345", "1234:2345", "0:0"]);
});

test.runIf(canGive)("a folder that the container's user may write to stays whose it is", () => {
  const { backups, run } = start({});
  mkdirSync(backups);
  chownSync(backups, 4321, 2345);
  chmodSync(backups, 0o770);
  expect(run()).toMatchObject({ status: 0 });
  expect(ownerOf(backups)).toBe("4321:2345");
});

test.runIf(canGive)(
  "data that is somebody's already stays theirs where no PUID is named; new data is given to 1000",
  () => {
    const { folder, run } = start({ PUID: "", PGID: "" });
    const data = join(folder, "data");
    expect(run()).toMatchObject({ status: 0, stdout: "1000\n" });
    expect(ownerOf(data)).toBe("1000:1000");
    chownSync(data, 4321, 2345);
    rmSync(join(folder, "backups"), { recursive: true });
    expect(run()).toMatchObject({ status: 0, stdout: "4321\n" });
    expect(ownerOf(data)).toBe("4321:2345");
  },
);

test.runIf(canGive)("a BACKUP_DIR that cannot be made ends the start with a sentence", () => {
  const { run } = start({ BACKUP_DIR: "/proc/backups" });
  const { status, stderr } = run();
  expect(status).toBe(77);
  expect(stderr).toContain("BACKUP_DIR, /proc/backups, cannot be made: mount a folder there");
});
