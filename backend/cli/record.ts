import { writeFile } from "node:fs/promises";
import { dirname, extname, join, sep } from "node:path";
import { cleanLine } from "../../contract/clean-text.ts";
import { hlaeSteps } from "../../contract/hlae-steps.ts";
import { csdmConfig } from "../clips/in-game/csdm-config.ts";
import { canBeQuoted, hlaeCommands, hlaeFirstTick, unsayableNames } from "../clips/in-game/hlae-commands.ts";
import { unpackedDemo } from "../clips/in-game/in-game-clip.ts";
import type { RecordedClip } from "../clips/in-game/recorded-takes.ts";
import { parseStageNames, parseStages } from "./analyze.ts";
import { plannedClip } from "./clip.ts";
import { demoStem, findDemos, withoutTwins } from "./find-demos.ts";
import { besideTarget, type OutputFile, planOutputs, putInPlace, refuseToOverwrite, type Task } from "./output-file.ts";
import { ProgressBar } from "./progress-bar.ts";
import type { RecordCommand } from "./read-arguments.ts";
import { readDemo } from "./read-demo.ts";
import { type Session, sayError, sayMissing } from "./session.ts";

const endings = { csdm: ".json", hlae: ".xml" } as const;

/**
 * `clutchcast record`: files with which the game records the clip that `clutchcast clip` would draw.
 * @returns whether all were written
 * @throws UsageError; the signal's reason
 */
export async function record(command: RecordCommand, session: Session): Promise<boolean> {
  const { output } = command;
  const { demos: found, missing } = await findDemos(command.demos, session.cwd);
  const demos = withoutTwins(found, (sentence) => session.say(`${cleanLine(sentence)}\n`));
  const plan = (ending: string) => planOutputs(demos, { output, ending, cwd: session.cwd, command: "record" });
  const named = output === null ? "" : extname(output).toLowerCase();
  // A name with an ending is that one file.
  const configs = named === endings.hlae ? [] : await plan(endings.csdm);
  const commands = named === endings.csdm ? [] : await plan(endings.hlae);
  sayMissing(session, missing);
  let isFine = missing.length === 0;
  for (const [i, demo] of demos.entries()) {
    const targets = { csdm: configs[i]?.target, hlae: commands[i]?.target };
    const bar = new ProgressBar(session.progress, cleanLine(demo.shown), parseStages);
    try {
      const clip = await write(demo, targets, command, session, bar);
      bar.clear();
      if (!command.isQuiet) session.print(instructions(clip, demo, targets));
    } catch (error) {
      bar.clear();
      session.signal.throwIfAborted();
      isFine = false;
      sayError(session, demo.shown, error, dirname((targets.csdm ?? targets.hlae)?.path ?? demo.path));
    }
  }
  return isFine;
}

type Targets = Record<keyof typeof endings, OutputFile | undefined>;

async function write(
  demo: Task["demo"],
  { csdm, hlae }: Targets,
  command: RecordCommand,
  session: Session,
  bar: ProgressBar,
): Promise<RecordedClip> {
  const first = csdm ?? hlae;
  if (!first) throw new Error("There is nothing to write.");
  for (const target of [csdm, hlae]) if (target) await refuseToOverwrite(target, command.isForced);
  return besideTarget(first, async (folder) => {
    const read = await readDemo(demo.path, {
      directory: join(folder, "demo"),
      maxBytes: session.config.MAX_DEMO_BYTES,
      containment: session.containment,
      signal: session.signal,
      onStage: (stage, fraction) => bar.report(parseStageNames[stage], fraction),
    });
    const { name, spec } = plannedClip(read, command, session.config);
    const clip = { name, spec, players: read.facts.players, tickRate: read.facts.timing.tickRate };
    const put = async (target: OutputFile | undefined, text: string) => {
      if (!target) return;
      const file = join(folder, "text");
      await writeFile(file, text);
      await putInPlace(file, target, command.isForced);
    };
    await put(csdm, csdmConfig(clip, unpackedDemo(demo.path)));
    await put(hlae, hlaeCommands(clip));
    return clip;
  });
}

/** What is to be done with the files, line by line. */
export function instructions(clip: RecordedClip, demo: Task["demo"], { csdm, hlae }: Targets): string {
  const lines: string[] = [];
  if (unpackedDemo(demo.path) !== demo.path) lines.push(`Unpack ${demo.shown} first: the game reads .dem files alone.`);
  if (csdm) {
    lines.push(
      `${csdm.shown}: analyze the demo in CS Demo Manager once, then run csdm video --config-file "${csdm.shown}"`,
    );
  }
  if (hlae) {
    const byHand = unsayableNames(clip);
    const stem = canBeQuoted(demoStem(demo.path)) ? demoStem(demo.path) : "match";
    // The console takes a backslash for the beginning of something else.
    const slashed = hlae.path.replaceAll(sep, "/");
    lines.push(
      `${hlae.shown}: put the demo into game/csgo as ${stem}.dem, start CS2 through HLAE, and in its console:`,
      ...hlaeSteps({
        demoStem: stem,
        commandsFile: slashed,
        recordingFolder: slashed.slice(0, -extname(slashed).length),
        firstTick: hlaeFirstTick(clip),
      }).map(({ command }) => `  ${command}`),
      ...(byHand.length > 0 ? [`  No command reliably finds ${byHand.join(", ")}: choose them by hand.`] : []),
    );
  }
  return lines.map((line) => `${/^ */.exec(line)?.[0]}${cleanLine(line)}\n`).join("");
}
