import { bytesText } from "../../contract/bytes-text.ts";
import type { OperatorOverview } from "../../contract/schemas/operator.ts";
import { LocalTime } from "../shell/pieces/local-time.tsx";
import { PlayerName } from "../shell/pieces/player-name.tsx";
import { countText } from "./figures.ts";
import { kindLabel } from "./labels.ts";
import { Bar } from "./pieces.tsx";

/** What is stored, by kind, and how much room there is. */
export function Storage({ storage, processes }: Pick<OperatorOverview, "storage" | "processes">) {
  const reliefs = processes.map((process) => process.reliefs).filter(({ count }) => count > 0);
  const rows = [
    { kind: "database", count: null, bytes: storage.database_bytes },
    ...(storage.counted?.kinds ?? []).filter(({ kind, count }) => kind !== "other" || count > 0),
    ...reliefs.slice(0, 1).map(() => ({
      kind: "reliefs",
      count: reliefs.reduce((sum, { count }) => sum + count, 0),
      bytes: reliefs.reduce((sum, { bytes }) => sum + bytes, 0),
    })),
  ];
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  rows.sort((a, b) => b.bytes - a.bytes);
  const most = Math.max(1, ...rows.map(({ bytes }) => bytes));
  return (
    <>
      <table className="w-full text-left text-sm">
        <thead className="text-haze">
          <tr>
            <th scope="col" className="pb-2 font-semibold">
              Kind
            </th>
            <th scope="col" className="pb-2 pl-2 text-right font-semibold">
              Files
            </th>
            <th scope="col" className="pb-2 pl-2 text-right font-semibold">
              Size
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line/70 border-t border-line/70">
          {rows.map(({ kind, count, bytes }) => (
            <tr key={kind}>
              <th scope="row" className="w-1/2 py-2 pr-2 font-semibold">
                {kindLabel(kind)}
                <Bar share={bytes / most} />
              </th>
              <td className="py-2 pl-2 text-right tabular-nums">{count === null ? "–" : countText(count)}</td>
              <td className="py-2 pl-2 text-right whitespace-nowrap tabular-nums">{bytesText(bytes)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot className="border-t border-line-2">
          <tr>
            <th scope="row" className="py-2 pr-2 font-semibold">
              Together
            </th>
            <td />
            <td className="py-2 pl-2 text-right font-semibold whitespace-nowrap tabular-nums">{bytesText(total)}</td>
          </tr>
        </tfoot>
      </table>
      <p className="mt-4 text-sm text-fog">
        {storage.counted ? (
          <>
            Files as counted in the background, last on <LocalTime iso={storage.counted.ended_at} />.
          </>
        ) : (
          "The files are being counted for the first time."
        )}
      </p>
      {storage.users.length > 0 ? <BiggestUsers {...storage} /> : null}
    </>
  );
}

function BiggestUsers({ users, quota_bytes: quota }: Pick<OperatorOverview["storage"], "users" | "quota_bytes">) {
  return (
    <>
      <h3 className="eyebrow mt-7">Players with the most</h3>
      <ol className="mt-3 divide-y divide-line/70 border-y border-line/70 text-sm">
        {users.map(({ steam_id: steamId, name, bytes }) => (
          <li key={steamId} className="flex items-center justify-between gap-4 py-2">
            <PlayerName isTarget steamId={steamId} name={name} className="font-semibold" />
            <span className="whitespace-nowrap tabular-nums">
              {bytesText(bytes)}
              {quota === null ? "" : ` of ${bytesText(quota)}`}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
