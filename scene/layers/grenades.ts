import type { GrenadeKind, RecordedGrenade } from "../../replay/match-record.ts";
import type { Sprite } from "../display-list.ts";
import { clamp, easeOut, mix } from "../easing.ts";
import type { IconName } from "../icons/icon-paths.ts";
import { sidePalette } from "../palette.ts";
import { groundSquash } from "../relief/projection.ts";
import { restingPlace, smokeRadius } from "../sight.ts";
import { paintIcon, type SpriteShelf } from "../sprite-shelf.ts";
import { isInFrame, type Layer, putCentred, putScaled, type Stage } from "../stage.ts";

const grenadeLooks: Readonly<Record<GrenadeKind, { icon: IconName; colour: string }>> = {
  smoke: { icon: "smoke-bomb", colour: "#d5dbe4" },
  flash: { icon: "flash-grenade", colour: "#ffffff" },
  he: { icon: "unlit-bomb", colour: "#ff8f5a" },
  molotov: { icon: "molotov", colour: "#ffb13d" },
  incendiary: { icon: "fire-bomb", colour: "#ffb13d" },
  decoy: { icon: "stun-grenade", colour: "#a8d98a" },
};

/** The arc behind a grenade goes back so many pieces of so many seconds. */
const arcPieces = 12;
const arcPieceSeconds = 3 / 64;

/** Grenades on their way, with the arc they flew, and decoys where they lie. */
export function projectileLayer(stage: Stage): Layer {
  const { shelf, timeline, unit } = stage;
  const badges = Object.fromEntries(
    Object.entries(grenadeLooks).map(([kind, look]) => [
      kind,
      shelf.sprite(`projectile-${kind}`, 24, 24, (context, kit) => {
        context.fillStyle = look.colour;
        context.strokeStyle = "rgba(6, 10, 16, 0.9)";
        context.lineWidth = 2;
        context.beginPath();
        context.arc(12, 12, 10.5, 0, Math.PI * 2);
        context.fill();
        context.stroke();
        paintIcon(context, kit, look.icon, 12, 12, 15, 15, "#0b1119");
      }),
    ]),
  ) as Record<GrenadeKind, Sprite>;
  const wasSeen = grenadeSight(stage);
  const pieceTicks = arcPieceSeconds * timeline.tickRate;
  return (list, { tick, view }) => {
    for (const grenade of timeline.grenades) {
      const isFlying = tick >= grenade.throwTick && tick < grenade.detonateTick;
      const isDecoy = grenade.kind === "decoy" && tick >= grenade.detonateTick && tick < grenade.expireTick;
      if (!isFlying && !isDecoy) continue;
      const opacity = wasSeen(grenade, tick);
      if (opacity === 0) continue;
      const here = placeAt(grenade, tick);
      const x = view.x(here[0]);
      const y = view.y(here[1], here[2]);
      if (!isInFrame(stage, x, y, 60)) continue;
      const side = grenade.thrower === null ? null : timeline.sides[grenade.thrower];
      const colour = side ? sidePalette[side].light : "#ffffff";
      let x0 = x;
      let y0 = y;
      for (let step = 1; step <= arcPieces && isFlying; step++) {
        const before = tick - step * pieceTicks;
        if (before < grenade.throwTick) break;
        const place = placeAt(grenade, before);
        const x1 = view.x(place[0]);
        const y1 = view.y(place[1], place[2]);
        list.push({
          op: "line",
          x0,
          y0,
          x1,
          y1,
          width: 2.3 * unit,
          colour,
          alpha0: 0.65 * (1 - (step - 1) / arcPieces),
          alpha1: 0.65 * (1 - step / arcPieces),
        });
        x0 = x1;
        y0 = y1;
      }
      if (isDecoy) {
        const pulse = ((tick - grenade.detonateTick) / timeline.tickRate / 0.7) % 1;
        list.push({
          op: "ring",
          x,
          y,
          radius: (10 + 16 * pulse) * unit,
          width: 1.6 * unit,
          squash: groundSquash,
          fraction: 1,
          colour: grenadeLooks.decoy.colour,
          alpha: (1 - pulse) * 0.8,
        });
      }
      putCentred(list, badges[grenade.kind], x, y, opacity);
    }
  };
}

/** Smoke clouds, below everybody who is in them. */
export function smokeLayer(stage: Stage): Layer {
  const { shelf, timeline, unit } = stage;
  const clouds = [0, 1, 2].map((variant) => smokeSprite(shelf, variant));
  const smokes = timeline.grenades
    .filter((grenade) => grenade.kind === "smoke" && grenade.expireTick > grenade.detonateTick)
    .map((grenade) => ({ grenade, place: restingPlace(grenade) }));
  const flatten = mix(groundSquash, 1, 0.5);
  return (list, { tick, view }) => {
    for (const { grenade, place } of smokes) {
      if (tick < grenade.detonateTick || tick >= grenade.expireTick) continue;
      const x = view.x(place.x);
      const y = view.y(place.y, place.z + 40);
      const fullWidth = 2.55 * smokeRadius * view.pixelsPerUnit;
      if (!isInFrame(stage, x, y, fullWidth / unit)) continue;
      const seconds = (tick - grenade.detonateTick) / timeline.tickRate;
      const life = clamp((grenade.expireTick - tick) / (1.6 * timeline.tickRate), 0, 1);
      const width = fullWidth * easeOut(0.1 + seconds / 1.2);
      for (const [i, cloud] of clouds.entries()) {
        const dx = Math.sin(seconds * (0.5 + 0.13 * i) + i * 2.1) * width * 0.03;
        const dy = Math.cos(seconds * (0.41 + 0.17 * i) + i * 1.3) * width * 0.025 - i * width * 0.02;
        const isTop = i === clouds.length - 1;
        putScaled(list, cloud, x + dx, y + dy, isTop ? width * 0.96 : width, flatten, (isTop ? 0.42 : 0.8) * life);
      }
      list.push({
        op: "ring",
        x,
        y,
        radius: 9 * unit,
        width: 2 * unit,
        squash: 1,
        fraction: clamp((grenade.expireTick - tick) / (grenade.expireTick - grenade.detonateTick), 0.001, 1),
        colour: "#ffffff",
        alpha: 0.7 * life,
      });
    }
  };
}

/** Flashbangs and HE grenades going off. */
export function burstLayer(stage: Stage): Layer {
  const { shelf, timeline, unit } = stage;
  const flash = glowSprite(shelf, "flash-burst", [
    [0, "rgba(255, 255, 255, 1)"],
    [0.2, "rgba(255, 255, 255, 0.9)"],
    [0.5, "rgba(210, 230, 255, 0.35)"],
    [1, "rgba(180, 210, 255, 0)"],
  ]);
  const blast = glowSprite(shelf, "he-burst", [
    [0, "rgba(255, 246, 214, 1)"],
    [0.25, "rgba(255, 178, 60, 0.9)"],
    [0.6, "rgba(230, 80, 20, 0.4)"],
    [1, "rgba(120, 30, 0, 0)"],
  ]);
  const bursts = timeline.grenades
    .filter((grenade) => grenade.kind === "flash" || grenade.kind === "he")
    .map((grenade) => ({ grenade, place: restingPlace(grenade) }));
  return (list, { tick, view }) => {
    for (const { grenade, place } of bursts) {
      const seconds = (tick - grenade.detonateTick) / timeline.tickRate;
      if (seconds < 0 || seconds > 0.7) continue;
      const x = view.x(place.x);
      const y = view.y(place.y, place.z);
      if (!isInFrame(stage, x, y, 160)) continue;
      if (grenade.kind === "flash") {
        const grown = easeOut(seconds / 0.5);
        putScaled(list, flash, x, y, flash.width * (0.4 + grown), 1, 1 - grown);
      } else {
        const grown = easeOut(seconds / 0.7);
        putScaled(list, blast, x, y, blast.width * (0.3 + grown * 0.6), 0.86, 1 - grown);
        list.push({
          op: "ring",
          x,
          y,
          radius: Math.max(1, 90 * unit * grown),
          width: (3 * (1 - grown) + 0.5) * unit,
          squash: groundSquash,
          fraction: 1,
          colour: "#ffd9a0",
          alpha: 1 - grown,
        });
      }
    }
  };
}

function glowSprite(shelf: SpriteShelf, key: string, stops: readonly (readonly [number, string])[]): Sprite {
  const size = 280;
  return shelf.sprite(
    key,
    size,
    size,
    (context) => {
      const gradient = context.createRadialGradient(size / 2, size / 2, 0, size / 2, size / 2, size / 2);
      for (const [offset, colour] of stops) gradient.addColorStop(offset, colour);
      context.fillStyle = gradient;
      context.fillRect(0, 0, size, size);
    },
    true,
  );
}

/** A cloud of soft lobes, lit from the upper left. The same every time: seeded by its variant. */
function smokeSprite(shelf: SpriteShelf, variant: number): Sprite {
  const radius = 130;
  return shelf.sprite(`smoke-${variant}`, radius * 2, radius * 2, (context) => {
    let seed = 7 + variant * 1013;
    const random = () => {
      seed = (seed * 16807) % 2147483647;
      return seed / 2147483647;
    };
    const lobes = Array.from({ length: 54 }, () => {
      const angle = random() * Math.PI * 2;
      const away = Math.sqrt(random()) * radius * 0.62;
      return { x: Math.cos(angle) * away, y: Math.sin(angle) * away, size: radius * (0.18 + random() * 0.2) };
    }).sort((a, b) => b.x + b.y - (a.x + a.y));
    for (const lobe of lobes) {
      const lit = clamp(0.5 - (lobe.x + lobe.y) / (radius * 1.7), 0, 1);
      const shade = Math.round(mix(112, 214, lit) + random() * 14);
      const x = radius + lobe.x;
      const y = radius + lobe.y;
      const gradient = context.createRadialGradient(x - lobe.size * 0.25, y - lobe.size * 0.3, 0, x, y, lobe.size);
      gradient.addColorStop(0, `rgba(${shade}, ${shade + 4}, ${shade + 12}, 0.5)`);
      gradient.addColorStop(0.6, `rgba(${shade - 24}, ${shade - 18}, ${shade - 8}, 0.3)`);
      gradient.addColorStop(1, `rgba(${shade - 46}, ${shade - 40}, ${shade - 30}, 0)`);
      context.fillStyle = gradient;
      context.fillRect(x - lobe.size, y - lobe.size, 2 * lobe.size, 2 * lobe.size);
    }
  });
}

function placeAt(grenade: RecordedGrenade, tick: number): [number, number, number] {
  const { path } = grenade;
  let next = 0;
  while (next < path.length && path[next]![0] <= tick) next++;
  const [t1, x1, y1, z1] = path[Math.min(next, path.length - 1)]!;
  if (next === 0 || next === path.length) return [x1, y1, z1];
  const [t0, x0, y0, z0] = path[next - 1]!;
  const part = (tick - t0) / Math.max(1, t1 - t0);
  return [mix(x0, x1, part), mix(y0, y1, part), mix(z0, z1, part)];
}

/** With x-ray off: an opponent's grenade is drawn while the followed team sees it. */
function grenadeSight(stage: Stage): (grenade: RecordedGrenade, tick: number) => number {
  const { sight, timeline } = stage;
  if (!sight) return () => 1;
  const stepTicks = 8;
  const seen = new Map<RecordedGrenade, Uint8Array>();
  for (const grenade of timeline.grenades) {
    if (grenade.thrower === null || timeline.isTeammate(grenade.thrower, timeline.segment.player)) continue;
    const steps = Math.ceil((grenade.expireTick - grenade.throwTick) / stepTicks) + 1;
    const flags = new Uint8Array(steps);
    for (let step = 0; step < steps; step++) {
      const tick = grenade.throwTick + step * stepTicks;
      if (tick < timeline.segment.startTick - stepTicks || tick > timeline.segment.endTick) continue;
      const [x, y, z] = placeAt(grenade, tick);
      flags[step] = sight.sees({ x, y, z }, tick) ? 1 : 0;
    }
    seen.set(grenade, flags);
  }
  return (grenade, tick) => {
    const flags = seen.get(grenade);
    return flags ? flags[Math.floor((tick - grenade.throwTick) / stepTicks)]! : 1;
  };
}
