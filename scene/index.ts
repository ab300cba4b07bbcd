export {
  type CanvasPainterCache,
  createCanvasPainterCache,
  type PainterContext,
  paintDisplayList,
} from "./canvas-painter.ts";
export { buildClipRelief, type ClipScene, createClipScene, type SceneOptions } from "./clip-scene.ts";
export type * from "./display-list.ts";
export { type SceneFontWeight, sceneFontFamilies, sceneFontWeights } from "./fonts.ts";
export type { SceneCanvas } from "./layers/radar.ts";
export { buildRelief, type Relief } from "./relief/build-relief.ts";
export { cleanText } from "./text.ts";
