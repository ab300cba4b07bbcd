import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { parseClipAddress } from "../../../contract/clip-address.ts";
import { hlaeSteps } from "../../../contract/hlae-steps.ts";
import type { InGame } from "../../../contract/schemas/in-game.ts";
import { Icon } from "../../shell/pieces/icon.tsx";

/** Where the owner of a clip gets what makes the same clip in the game's own picture. Forms and links alone. */
export function RecordInGame(clip: InGame & { id: string }) {
  const { id, demo_name: demo, first_tick: firstTick, takes, by_hand: byHand } = clip;
  // An unlisted clip's address has its key, which no file is called after.
  const file = `clip-${parseClipAddress(id)?.id}`;
  const steps = hlaeSteps({
    demoStem: demo.replace(/\.dem$/, ""),
    commandsFile: `C:/path/to/${file}.xml`,
    recordingFolder: "C:/path/to/clip",
    firstTick,
  });
  return (
    <div className="mx-auto grid max-w-2xl grid-cols-1 gap-6">
      <Link to={`/clips/${id}`} className="btn btn-quiet justify-self-start">
        <Icon name="back" />
        Back to the clip
      </Link>
      <div className="grid gap-2">
        <h1 className="title-1">Record it in the game</h1>
        <p className="wrap-anywhere text-fog">
          The same moments of “<bdi>{clip.clip_name}</bdi>”, filmed by Counter-Strike 2 itself through the players’
          eyes. You need the game, the demo of the match as a .dem file, and one of these two programs.
        </p>
      </div>
      <section className="panel grid grid-cols-1 gap-4 p-5">
        <h2 className="title-2">CS Demo Manager</h2>
        <p className="text-sm text-fog">
          It starts the game, records every part and joins them to one video, in the order of the clip.
        </p>
        <form action={clip.csdm_url} className="grid gap-3">
          <label className="grid gap-1.5">
            <span className="text-sm font-semibold text-fog">Your demo file, with its folder</span>
            <input
              name="demo"
              defaultValue={demo}
              required
              pattern=".+\.dem"
              title="It ends with .dem"
              className="field"
            />
          </label>
          <button type="submit" className="btn btn-primary justify-self-start">
            <Icon name="download" />
            Download the config
          </button>
        </form>
        <Steps>
          <li>Unpack the demo: its name ends with .dem, without .bz2, .gz or .zst.</li>
          <li>In CS Demo Manager, open the demo’s folder and analyze the demo once.</li>
          <li>Write the file’s full path above, then download the config.</li>
          <li>
            In a terminal: <Command>csdm video --config-file {file}.json</Command>
          </li>
          <li>
            The video is saved beside the demo. Encoder and recorder are the ones in your settings there: the file names
            none, since HLAE records only on Windows.
          </li>
        </Steps>
      </section>
      <section className="panel grid grid-cols-1 gap-4 p-5">
        <h2 className="title-2">HLAE</h2>
        <p className="text-sm text-fog">
          It records while the demo plays
          {takes > 1 ? `, each of the ${takes} parts into a folder of its own, in the order of the demo` : ""}. On
          Windows.
        </p>
        <a href={clip.hlae_url} className="btn btn-primary justify-self-start">
          <Icon name="download" />
          Download the commands
        </a>
        <Steps>
          <li>
            Put the unpacked demo into the game’s folder game/csgo, as <Command>{demo}</Command>
          </li>
          {steps.map(({ before, command, after }) => (
            <li key={command}>
              {before} <Command>{command}</Command> {after}
            </li>
          ))}
        </Steps>
        {byHand.length > 0 ? (
          <p className="text-sm wrap-anywhere text-fog">
            No command reliably finds <bdi>{byHand.join(", ")}</bdi>: select them by hand when their part begins.
          </p>
        ) : null}
      </section>
    </div>
  );
}

function Steps({ children }: { children: ReactNode }) {
  return <ol className="grid list-decimal gap-1.5 pl-5 text-sm text-fog marker:text-haze">{children}</ol>;
}

function Command({ children }: { children: ReactNode }) {
  return <code className="rounded bg-ink px-1.5 py-0.5 font-mono text-xs break-all text-chalk">{children}</code>;
}
