import { existsSync, readFileSync } from "node:fs";

/** Exports of compositor/assembly/index.ts, which documents them; pointers and counts are numbers. */
export interface CompositorKernels {
  firstFreeAddress(): number;
  convertOpaque(
    rgba: number,
    rgbaStride: number,
    width: number,
    rows: number,
    luma: number,
    lumaStride: number,
    u: number,
    v: number,
    chromaStride: number,
  ): void;
  halveOpaque(
    source: number,
    sourceStride: number,
    target: number,
    targetStride: number,
    targetWidth: number,
    targetHeight: number,
  ): void;
  bakeLuma(
    rgba: number,
    width: number,
    height: number,
    luma: number,
    alpha: number,
    stride: number,
    additive: number,
  ): void;
  bakeChroma(
    rgba: number,
    width: number,
    height: number,
    u: number,
    v: number,
    alpha: number,
    stride: number,
    chromaWidth: number,
    chromaHeight: number,
    offsetX: number,
    offsetY: number,
    additive: number,
  ): void;
  halveSprite(
    colour: number,
    alpha: number,
    sourceStride: number,
    targetColour: number,
    targetAlpha: number,
    targetStride: number,
    targetWidth: number,
    targetHeight: number,
  ): void;
  buildColumns(
    table: number,
    count: number,
    start: number,
    step: number,
    sourceWidth: number,
    left: number,
    right: number,
  ): number;
  buildWideColumns(table: number, count: number, start: number, step: number, sourceWidth: number): number;
  blitOpaque(
    target: number,
    targetStride: number,
    width: number,
    height: number,
    source: number,
    sourceStride: number,
    sourceHeight: number,
    start: number,
    step: number,
    table: number,
    exact: number,
    wide: number,
    scratch: number,
  ): void;
  blendSprite(
    target: number,
    targetStride: number,
    colour: number,
    alpha: number,
    stride: number,
    width: number,
    height: number,
    opacity: number,
    shift: number,
    padded: number,
  ): void;
  blendScaled(
    target: number,
    targetStride: number,
    width: number,
    height: number,
    colour: number,
    alpha: number,
    stride: number,
    sourceHeight: number,
    start: number,
    step: number,
    top: number,
    bottom: number,
    table: number,
    scratch: number,
    opacity: number,
    shift: number,
  ): void;
  blendAffine(
    target: number,
    targetStride: number,
    left: number,
    top: number,
    right: number,
    bottom: number,
    colour: number,
    alpha: number,
    stride: number,
    sourceWidth: number,
    sourceHeight: number,
    ux: number,
    uy: number,
    u0: number,
    vx: number,
    vy: number,
    v0: number,
    opacity: number,
    shift: number,
    contentLeft: number,
    contentTop: number,
    contentRight: number,
    contentBottom: number,
    otherTarget: number,
    otherColour: number,
  ): void;
  blendLine(
    target: number,
    stride: number,
    planeWidth: number,
    planeHeight: number,
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    halfWidth: number,
    value: number,
    opacity0: number,
    opacity1: number,
    otherTarget: number,
    otherValue: number,
  ): void;
  blendRing(
    target: number,
    stride: number,
    planeWidth: number,
    planeHeight: number,
    centreX: number,
    centreY: number,
    radius: number,
    halfWidth: number,
    squash: number,
    fraction: number,
    value: number,
    opacity: number,
    flat: number,
    otherTarget: number,
    otherValue: number,
  ): void;
  blendCone(
    target: number,
    stride: number,
    left: number,
    top: number,
    right: number,
    bottom: number,
    centreX: number,
    centreY: number,
    radius: number,
    squash: number,
    unitX: number,
    unitY: number,
    cosHalf: number,
    sinHalf: number,
    value: number,
    opacity: number,
    otherTarget: number,
    otherValue: number,
  ): void;
  blendRectangle(
    target: number,
    stride: number,
    planeWidth: number,
    planeHeight: number,
    left: number,
    top: number,
    right: number,
    bottom: number,
    value: number,
    opacity: number,
  ): void;
  dissolve(target: number, other: number, bytes: number, opacity: number): void;
}

const wasmPage = 65536;

/** URL of the compiled module: beside this file in the sources; in a build, beside the bundle or in the sources next to it. */
function compositorPath(): URL {
  const places = ["./compositor.wasm", "../backend/video/compositor/compositor.wasm"];
  const found = places.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  if (!found) throw new Error("compositor.wasm is missing: run “node scripts/build-compositor.mjs”.");
  return found;
}

/**
 * Starts the compositor on its own memory, which cannot grow: growing would detach frames that are queued for the encoder, which would
 * silently lose them. The system only allocates pages that are touched.
 */
export function startCompositor(bytes: number): { kernels: CompositorKernels; memory: WebAssembly.Memory } {
  const pages = Math.ceil(bytes / wasmPage) + 1;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(compositorPath())), {
    env: { memory },
  });
  return { kernels: instance.exports as unknown as CompositorKernels, memory };
}
