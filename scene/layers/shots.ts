import { clamp } from "../easing.ts";
import { sidePalette } from "../palette.ts";
import { firstAtOrAfter } from "../segment-timeline.ts";
import { freeDistance } from "../sight.ts";
import { isInFrame, type Layer, putScaled, type Stage } from "../stage.ts";

const tracerSeconds = 0.22;
/** World units a second that the drawn bullet flies: slow enough to be seen. */
const tracerSpeed = 9000;
const tracerLength = 900;
const farthestShot = 3000;
const muzzleDistance = 26;
const weaponHeight = 50;
const noBullet = /knife|bayonet|grenade|flashbang|molotov|inferno|decoy|c4|healthshot/;

interface Tracer {
  tick: number;
  player: number;
  x: number;
  y: number;
  z: number;
  dx: number;
  dy: number;
  /** Rise in world units along the whole length. */
  rise: number;
  /** Where it begins to be seen, and where it ends, in world units from the shooter. */
  from: number;
  length: number;
}

/** Bullets as tracers that stop at walls or in whom they hit, with a flash at the muzzle. */
export function shotLayer(stage: Stage): Layer {
  const { shelf, timeline, unit } = stage;
  const muzzle = shelf.sprite(
    "muzzle",
    52,
    52,
    (context) => {
      const gradient = context.createRadialGradient(26, 26, 0, 26, 26, 26);
      gradient.addColorStop(0, "rgba(255, 250, 220, 1)");
      gradient.addColorStop(0.25, "rgba(255, 214, 110, 0.85)");
      gradient.addColorStop(1, "rgba(255, 140, 30, 0)");
      context.fillStyle = gradient;
      context.fillRect(0, 0, 52, 52);
    },
    true,
  );
  const tracers = tracersOf(stage);
  return (list, { tick, view }) => {
    const first = firstAtOrAfter(tracers, tick - tracerSeconds * timeline.tickRate);
    for (let i = first; i < tracers.length && tracers[i]!.tick <= tick; i++) {
      const shot = tracers[i]!;
      const seconds = (tick - shot.tick) / timeline.tickRate;
      const fade = 1 - seconds / tracerSeconds;
      const head = Math.min(shot.length, muzzleDistance + 14 + seconds * tracerSpeed);
      const tail = clamp(seconds * tracerSpeed - tracerLength, Math.max(muzzleDistance, shot.from), shot.length);
      const side = timeline.sides[shot.player]!;
      const at = (distance: number): [number, number] => [
        view.x(shot.x + shot.dx * distance),
        view.y(shot.y + shot.dy * distance, shot.z + (shot.rise * distance) / shot.length),
      ];
      if (head > tail) {
        const [x0, y0] = at(tail);
        const [x1, y1] = at(head);
        const palette = sidePalette[side];
        const glow = (2.4 + 3 * fade) * unit;
        const core = (0.9 + 1.4 * fade) * unit;
        list.push({
          op: "line",
          x0,
          y0,
          x1,
          y1,
          width: glow,
          colour: palette.main,
          alpha0: fade * 0.12,
          alpha1: fade * 0.35,
        });
        list.push({
          op: "line",
          x0,
          y0,
          x1,
          y1,
          width: core,
          colour: palette.tracer,
          alpha0: fade * 0.4,
          alpha1: fade,
        });
      }
      if (seconds < 0.07 && shot.from <= muzzleDistance) {
        const [x, y] = at(muzzleDistance);
        if (isInFrame(stage, x, y, 40))
          putScaled(list, muzzle, x, y, muzzle.width * (1 - seconds * 6), 1, 1 - seconds / 0.07);
      }
    }
  };
}

function tracersOf(stage: Stage): Tracer[] {
  const { timeline, relief, sight } = stage;
  const tracers: Tracer[] = [];
  for (const shot of timeline.shots) {
    if (noBullet.test(shot.weapon) || timeline.sides[shot.player] == null) continue;
    const shooter = timeline.state(shot.player, shot.tick);
    if (!shooter?.alive) continue;
    const hit = hitBy(stage, shot.player, shot.tick);
    const yaw = ((shot.yaw ?? shooter.yaw) * Math.PI) / 180;
    const heading = hit ? Math.atan2(hit.y - shooter.y, hit.x - shooter.x) : yaw;
    const length = hit
      ? Math.max(40, Math.hypot(hit.x - shooter.x, hit.y - shooter.y))
      : freeDistance(relief, shooter, heading, shot.weapon === "taser" ? 190 : farthestShot);
    const slope = hit ? (hit.z - shooter.z) / length : clamp(-Math.tan((shooter.pitch * Math.PI) / 180), -0.5, 0.5);
    const tracer: Tracer = {
      tick: shot.tick,
      player: shot.player,
      x: shooter.x,
      y: shooter.y,
      z: shooter.z + weaponHeight,
      dx: Math.cos(heading),
      dy: Math.sin(heading),
      rise: slope * length,
      from: muzzleDistance,
      length,
    };
    if (
      sight &&
      !timeline.isTeammate(shot.player, timeline.segment.player) &&
      sight.opacity(shot.player, shot.tick) < 0.5
    ) {
      tracer.from = firstSeenDistance(stage, tracer);
    }
    tracers.push(tracer);
  }
  return tracers.sort((a, b) => a.tick - b.tick);
}

/** A hidden shooter's bullet appears where the followed team sees it first. */
function firstSeenDistance(stage: Stage, tracer: Tracer): number {
  for (let distance = muzzleDistance + 40; distance < tracer.length; distance += 60) {
    const place = {
      x: tracer.x + tracer.dx * distance,
      y: tracer.y + tracer.dy * distance,
      z: tracer.z - weaponHeight,
    };
    if (stage.sight!.sees(place, tracer.tick)) return distance;
  }
  return tracer.length;
}

/** Where the victim of a shot stood, when it hit somebody. */
function hitBy(stage: Stage, attacker: number, tick: number): { x: number; y: number; z: number } | null {
  const { timeline } = stage;
  const first = firstAtOrAfter(timeline.damages, tick - 0.5);
  for (let i = first; i < timeline.damages.length && timeline.damages[i]!.tick <= tick + 1; i++) {
    const damage = timeline.damages[i]!;
    if (damage.attacker !== attacker || damage.victim === attacker || noBullet.test(damage.weapon)) continue;
    return timeline.state(damage.victim, tick);
  }
  return null;
}
