import type { GrenadeKind, PlayerIndex, RecordedGrenade } from "../../../replay/match-record.ts";
import { type DemoEvent, numberOf, positionOf, weaponOf } from "./demo-events.ts";
import type { PlayerRegister } from "./player-register.ts";

const kindOfWeapon = new Map<string, GrenadeKind>([
  ["smokegrenade", "smoke"],
  ["flashbang", "flash"],
  ["hegrenade", "he"],
  ["molotov", "molotov"],
  ["incgrenade", "incendiary"],
  ["decoy", "decoy"],
]);

export function isGrenadeWeapon(weapon: string): boolean {
  return kindOfWeapon.has(weapon);
}

/** Events of detonations, with the kinds of grenades they can belong to. */
const goingOff: Record<string, readonly GrenadeKind[]> = {
  smokegrenade_detonate: ["smoke"],
  flashbang_detonate: ["flash"],
  hegrenade_detonate: ["he"],
  inferno_startburn: ["molotov", "incendiary"],
  decoy_started: ["decoy"],
};

/** Events that end an effect, with the event that began it. Both have the same entity number. */
const endingOf: Record<string, string> = {
  smokegrenade_expired: "smokegrenade_detonate",
  inferno_expire: "inferno_startburn",
  decoy_detonate: "decoy_started",
};

/** Seconds an effect lasts when its end is missing in the demo (round over, recording stopped). Values of the game. */
const effectSeconds: Record<GrenadeKind, number> = { smoke: 22, flash: 0, he: 0, molotov: 7, incendiary: 7, decoy: 15 };

/** Seconds within which a thrown grenade detonates: fuses are 1.5 to 2 s; smokes and decoys wait until they lie still. */
const maxFlightSeconds: Record<GrenadeKind, number> = {
  smoke: 20,
  flash: 3,
  he: 3,
  molotov: 4,
  incendiary: 4,
  decoy: 20,
};

/** Their fuse is fixed (measured: 1.3 to 1.9 s), which tells quick throws of one player apart. */
const minFlightSeconds: Partial<Record<GrenadeKind, number>> = { flash: 1, he: 1 };

/** Flight of a flash or HE without a detonation event, at most. */
const unknownFlightSeconds = 1.6;

/** Height of the throwing hand above the feet, in units. */
const handHeight = 56;

/**
 * All thrown grenades in order, each paired with its detonation: the oldest open throw of the same thrower and kind. `path` has only both
 * ends; `withGrenadePaths` adds the flight of those that a clip shows.
 * @param restarts ticks at which rounds start and effects end
 */
export function recordGrenades(
  events: readonly DemoEvent[],
  register: PlayerRegister,
  tickRate: number,
  restarts: readonly number[],
): RecordedGrenade[] {
  const grenades: RecordedGrenade[] = [];
  const flying: RecordedGrenade[] = [];
  const burning = new Map<string, RecordedGrenade>();
  for (const event of events) {
    if (event.event_name === "weapon_fire") {
      const grenade = thrownGrenade(event, register, tickRate);
      if (!grenade) continue;
      grenades.push(grenade);
      flying.push(grenade);
    } else if (event.event_name in goingOff) {
      const kinds = goingOff[event.event_name]!;
      const grenade = takeThrown(flying, kinds, register.personIn(event, "user"), event.tick, tickRate);
      const landed = landedGrenade(event, grenade, kinds[0]!, register, tickRate, restarts);
      if (!landed) continue;
      if (!grenade) grenades.push(landed);
      burning.set(`${event.event_name}/${numberOf(event, "entityid")}`, landed);
    } else if (event.event_name in endingOf) {
      const key = `${endingOf[event.event_name]}/${numberOf(event, "entityid")}`;
      const grenade = burning.get(key);
      if (grenade && event.tick >= grenade.detonateTick && event.tick <= grenade.expireTick + tickRate * 10) {
        grenade.expireTick = event.tick;
      }
      burning.delete(key);
    }
  }
  return grenades.sort((a, b) => a.throwTick - b.throwTick);
}

function thrownGrenade(event: DemoEvent, register: PlayerRegister, tickRate: number): RecordedGrenade | null {
  const kind = kindOfWeapon.get(weaponOf(event));
  const feet = positionOf(event, "user");
  if (!kind || !feet) return null;
  const endTick = event.tick + Math.round(unknownFlightSeconds * tickRate);
  return {
    kind,
    thrower: register.personIn(event, "user"),
    throwTick: event.tick,
    detonateTick: endTick,
    expireTick: endTick,
    path: [[event.tick, feet[0], feet[1], feet[2] + handHeight]],
  };
}

/** Takes the oldest matching throw that can still be in flight. */
function takeThrown(
  flying: RecordedGrenade[],
  kinds: readonly GrenadeKind[],
  thrower: PlayerIndex | null,
  tick: number,
  tickRate: number,
): RecordedGrenade | null {
  const at = flying.findIndex(
    (grenade) =>
      kinds.includes(grenade.kind) &&
      grenade.thrower === thrower &&
      tick - grenade.throwTick >= (minFlightSeconds[grenade.kind] ?? 0) * tickRate &&
      tick - grenade.throwTick <= maxFlightSeconds[grenade.kind] * tickRate,
  );
  return at < 0 ? null : flying.splice(at, 1)[0]!;
}

/**
 * Completes a throw with its detonation. Without a throw, because it was before the recording, the detonation stands alone. Without a
 * place, the grenade's last known position counts; null when there is none.
 */
function landedGrenade(
  event: DemoEvent,
  thrown: RecordedGrenade | null,
  kind: GrenadeKind,
  register: PlayerRegister,
  tickRate: number,
  restarts: readonly number[],
): RecordedGrenade | null {
  const [, lastX = null, lastY = null, lastZ = null] = thrown?.path.at(-1) ?? [];
  const x = numberOf(event, "x") ?? lastX;
  const y = numberOf(event, "y") ?? lastY;
  const z = numberOf(event, "z") ?? lastZ;
  if (x === null || y === null || z === null) return null;
  const grenade = thrown ?? {
    kind,
    thrower: register.personIn(event, "user"),
    throwTick: event.tick,
    detonateTick: event.tick,
    expireTick: event.tick,
    path: [],
  };
  grenade.path.push([event.tick, x, y, z]);
  grenade.detonateTick = event.tick;
  const burnsOut = event.tick + effectSeconds[grenade.kind] * tickRate;
  const restart = restarts.find((tick) => tick > event.tick) ?? Number.POSITIVE_INFINITY;
  grenade.expireTick = Math.min(burnsOut, Math.max(restart, event.tick));
  return grenade;
}
