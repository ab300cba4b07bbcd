import type { DrawOperation, MapImage, Sprite, SpriteContext } from "../../../scene/display-list.ts";
import { createCanvas } from "../canvas.ts";

/** A map with slopes and fine lines. */
export function drawnMap(width: number, height: number): MapImage {
  const context = createCanvas(width, height).getContext("2d");
  const slope = context.createLinearGradient(0, 0, width, height);
  slope.addColorStop(0, "#204060");
  slope.addColorStop(0.5, "#806020");
  slope.addColorStop(1, "#103010");
  context.fillStyle = slope;
  context.fillRect(0, 0, width, height);
  context.strokeStyle = "#99ccff";
  context.lineWidth = 3;
  for (let ring = 0; ring < 30; ring++) {
    context.beginPath();
    context.arc((width / 30) * ring, height / 2 + (height / 3) * Math.sin(ring), 40, 0, 6.3);
    context.stroke();
  }
  const { data } = context.getImageData(0, 0, width, height);
  return { key: `drawn ${width}×${height}`, width, height, rgba: data };
}

export function sprite(
  key: string,
  width: number,
  height: number,
  paint: (context: SpriteContext) => void,
  additive = false,
): Sprite {
  return { key, width, height, additive, paint };
}

/** Soft-edged, opaque inside, of odd size, different from its mirror images. */
export const token = sprite("token", 61, 47, (context) => {
  context.fillStyle = "#e03030";
  context.beginPath();
  context.ellipse(30.5, 23.5, 27, 20, 0, 0, 6.3);
  context.fill();
  context.fillStyle = "#f0f0ff";
  context.fillRect(14, 12, 12, 20);
  context.fillStyle = "#3040f0";
  context.fillRect(36, 18, 14, 8);
});

export const glow = sprite(
  "glow",
  120,
  120,
  (context) => {
    const light = context.createRadialGradient(60, 60, 0, 60, 60, 60);
    light.addColorStop(0, "rgba(255, 220, 120, 0.8)");
    light.addColorStop(0.4, "rgba(255, 140, 30, 0.5)");
    light.addColorStop(1, "rgba(200, 40, 0, 0)");
    context.fillStyle = light;
    context.fillRect(0, 0, 120, 120);
  },
  true,
);

/** Half transparent up to its sides. */
export const panel = sprite("panel", 40, 30, (context) => {
  context.fillStyle = "rgba(20, 200, 90, 0.6)";
  context.fillRect(0, 0, 40, 30);
});

/** A list as busy as a clip's, that changes with time. */
export function busyList(image: MapImage, width: number, height: number, frame: number): DrawOperation[] {
  const time = frame / 60;
  const zoom = 0.8 + 0.15 * Math.sin(time);
  const list: DrawOperation[] = [
    { op: "map", image, sx: 40 + 10 * Math.sin(time), sy: 30, sw: width * zoom, sh: height * zoom },
  ];
  for (let player = 0; player < 6; player++) {
    const x = width * (0.15 + 0.14 * player) + 20 * Math.cos(time + player);
    const y = height * (0.5 + 0.3 * Math.sin(time * 0.7 + player));
    const [cos, sin] = [Math.cos(time + player), Math.sin(time + player)];
    list.push(
      {
        op: "cone",
        x,
        y,
        radius: 90,
        squash: 0.77,
        angle: time + player,
        halfAngle: 0.5,
        colour: "#4aa8ff",
        alpha: 0.5,
      },
      {
        op: "line",
        x0: x,
        y0: y,
        x1: x + 80 * cos,
        y1: y + 60 * sin,
        width: 2,
        colour: "#ffe2a8",
        alpha0: 0.1,
        alpha1: 0.9,
      },
      { op: "affine", sprite: token, x, y, a: cos, b: sin * 0.77, c: -sin, d: cos * 0.77, alpha: 1 },
      { op: "ring", x, y, radius: 18, width: 3, squash: 1, fraction: 0.8, colour: "#6fe07a", alpha: 1 },
      { op: "scaled", sprite: glow, x: x + 10, y, width: 70 + player, height: 60, alpha: 0.5 },
      { op: "sprite", sprite: panel, x: x - 20, y: y + 24, alpha: 0.8 },
    );
  }
  return list;
}
