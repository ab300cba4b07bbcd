import { type Box, gapBetween } from "../box.ts";
import type { CoveredAt } from "../camera.ts";
import { clamp, easeOut, overshoot, smoothStep } from "../easing.ts";
import { accent, sidePalette } from "../palette.ts";
import { groundSquash } from "../relief/projection.ts";
import { floorAt, restingPlace } from "../sight.ts";
import { sitePlaces } from "../site-places.ts";
import { isInFrame, type Layer, putScaled, putTurned, type Stage } from "../stage.ts";
import { paintLine } from "../text.ts";

/** Radius that a molotov's fire covers, in world units. */
const fireRadius = 125;
const flames = 18;
const goldenAngle = 2.399963;

/** Burning ground: flames that spread from where the bottle broke. */
export function fireLayer(stage: Stage): Layer {
  const { shelf, timeline } = stage;
  const flame = shelf.sprite(
    "flame",
    68,
    68,
    (context) => {
      const gradient = context.createRadialGradient(34, 34, 0, 34, 34, 34);
      gradient.addColorStop(0, "rgba(255, 236, 150, 0.95)");
      gradient.addColorStop(0.35, "rgba(255, 140, 30, 0.75)");
      gradient.addColorStop(1, "rgba(200, 40, 0, 0)");
      context.fillStyle = gradient;
      context.fillRect(0, 0, 68, 68);
    },
    true,
  );
  const fires = timeline.grenades
    .filter((grenade) => grenade.kind === "molotov" || grenade.kind === "incendiary")
    .filter((grenade) => grenade.expireTick > grenade.detonateTick)
    .map((grenade) => ({ grenade, place: restingPlace(grenade) }));
  return (list, { tick, view }) => {
    for (const { grenade, place } of fires) {
      if (tick < grenade.detonateTick || tick > grenade.expireTick) continue;
      const seconds = (tick - grenade.detonateTick) / timeline.tickRate;
      const life = clamp((grenade.expireTick - tick) / (0.8 * timeline.tickRate), 0, 1);
      const spread = easeOut(seconds / 1.4);
      if (!isInFrame(stage, view.x(place.x), view.y(place.y, place.z), 260)) continue;
      for (let i = 0; i < flames; i++) {
        const angle = i * goldenAngle;
        const away = Math.sqrt(i / flames) * fireRadius * spread;
        const flicker = 0.75 + 0.25 * Math.sin(seconds * (9 + (i % 5)) + i * 1.7);
        const x = view.x(place.x + Math.cos(angle) * away);
        const y = view.y(place.y + Math.sin(angle) * away, place.z) - flicker * 6 * stage.unit;
        putScaled(list, flame, x, y, 96 * view.pixelsPerUnit * flicker, 1.08, 0.55 * life * flicker);
      }
    }
  };
}

/** World units a site's letter is high. */
const letterHeight = 250;

/** The bomb sites' letters, painted on the ground where bombs were planted. */
export function siteLayer(stage: Stage): Layer {
  const { shelf } = stage;
  const size = 150;
  const sites = sitePlaces(stage.timeline.record).map(({ site, ...place }) => ({
    place,
    floor: floorAt(stage.relief, place.z),
    letter: shelf.sprite(`site-${site}`, size, size, (context, kit) => {
      const line = shelf.line(site, { weight: 700, size: 170, colour: "" });
      const edge = { colour: "rgba(255, 214, 140, 0.5)", width: 3 };
      paintLine(context, kit, line, (size - line.width) / 2, size * 0.54, "rgba(120, 94, 52, 0.55)", edge);
    }),
  }));
  return (list, { view }) => {
    for (const { place, letter, floor } of sites) {
      const x = view.x(place.x);
      const y = view.y(place.y, place.z);
      if (floor !== view.camera.floor || !isInFrame(stage, x, y, 200)) continue;
      const scale = (letterHeight * view.pixelsPerUnit) / letter.height;
      putTurned(list, letter, x, y, 0, scale, groundSquash, 0.8);
    }
  };
}

const markerSeconds = 7;
/** Distance in the layout's units within which a cross fades for a panel: in a caption it would be read as one of its letters. */
const markerReach = 16;

/**
 * A cross where somebody fell, with a shock ring at the moment.
 * @param coveredAt what panels cover of a frame
 */
export function deathLayer(stage: Stage, coveredAt: CoveredAt): Layer {
  const { shelf, timeline, unit, sight } = stage;
  const markers = {
    CT: deathMarker("CT"),
    T: deathMarker("T"),
  };
  function deathMarker(side: "CT" | "T") {
    return shelf.sprite(`fallen-${side}`, 44, 44, (context) => {
      context.translate(22, 22);
      context.lineCap = "round";
      for (const [width, colour] of [
        [10, "rgba(0, 0, 0, 0.8)"],
        [5.5, sidePalette[side].main],
      ] as const) {
        context.lineWidth = width;
        context.strokeStyle = colour;
        context.beginPath();
        context.moveTo(-12, -12);
        context.lineTo(12, 12);
        context.moveTo(12, -12);
        context.lineTo(-12, 12);
        context.stroke();
      }
    });
  }
  const deaths = timeline.roster
    .map((player) => ({ player, side: timeline.sides[player]!, tick: timeline.deathTick(player) }))
    .filter((death) => death.tick < timeline.segment.endTick)
    .map((death) => ({
      ...death,
      place: timeline.state(death.player, death.tick),
      // The feed tells the team of its kills, also of those it did not see.
      isOwnKill: timeline.kills.some(
        ({ victim, attacker }) =>
          victim === death.player && attacker !== null && timeline.isTeammate(attacker, timeline.segment.player),
      ),
    }));
  const clearOf = (panels: readonly Box[], x: number, y: number): number => {
    const [across, down] = [markers.CT.width, markers.CT.height * groundSquash];
    const box = { left: x - across / 2, top: y - down / 2, width: across, height: down };
    const gap = Math.min(...panels.map((panel) => gapBetween(box, panel)));
    return smoothStep(0, markerReach * unit, gap);
  };
  return (list, { tick, frame, view }) => {
    const panels = coveredAt(frame);
    for (const { player, side, tick: deathTick, place, isOwnKill } of deaths) {
      if (!place || tick < deathTick) continue;
      const x = view.x(place.x);
      const y = view.y(place.y, place.z);
      if (!isInFrame(stage, x, y, 80)) continue;
      const seen = isOwnKill ? 1 : (sight?.opacity(player, deathTick) ?? 1);
      const seconds = (tick - deathTick) / timeline.tickRate;
      if (seconds < 0.9) {
        const grown = easeOut(seconds / 0.9);
        list.push({
          op: "ring",
          x,
          y,
          radius: (10 + 60 * grown) * unit,
          width: ((1 - grown) * 6 + 0.5) * unit,
          squash: groundSquash,
          fraction: 1,
          colour: accent,
          alpha: (1 - grown) * 0.9 * seen,
        });
      }
      const size = markers[side].width * Math.max(0.05, overshoot(seconds / 0.3));
      const faded = 0.95 - 0.4 * clamp((seconds - markerSeconds) / 2, 0, 1);
      putScaled(list, markers[side], x, y, size, groundSquash, faded * seen * clearOf(panels, x, y));
    }
  };
}
