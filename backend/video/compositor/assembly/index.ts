/**
 * Draws straight into planar YUV 4:2:0 (BT.709, limited range), the input of H.264: there are no RGBA frames and no colour conversions of
 * whole frames. Every pointer is an address in linear memory, whose layout the host decides (yuv-painter.ts).
 *
 * Frame planes contain unsigned bytes. Sprite planes contain premultiplied *signed* bytes around 128, so that the same blend works for luma
 * and chroma:  out - 128 = (frame - 128) * (1 - alpha * opacity) + sprite * opacity.
 * Additive sprites have alpha 0 everywhere and store half of their light (luma can reach 219, a signed byte 127), which `shift` 7 instead
 * of 8 restores.
 *
 * `opacity` is 0..256. Sprite planes have a border of zeroes of one row above and below and at least 16 bytes to the right of each row
 * (which is also the left border of the next row), so that reading one pixel too far is harmless. Kernels may rewrite up to 15 bytes after
 * a row with their current values, so buffers need 64 spare bytes.
 */

/** First free address behind the module's own static memory. */
export function firstFreeAddress(): usize {
  return (__heap_base + 63) & ~63;
}

// BT.709 limited range as 16.16 fixed point.
const LUMA_RED: i32 = 11966;
const LUMA_GREEN: i32 = 40254;
const LUMA_BLUE: i32 = 4064;
const U_RED: i32 = -6596;
const U_GREEN: i32 = -22189;
const U_BLUE: i32 = 28784;
const V_RED: i32 = 28784;
const V_GREEN: i32 = -26145;
const V_BLUE: i32 = -2639;

function clampByte(value: i32): i32 {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

function clampSigned(value: i32): i32 {
  return value < -128 ? -128 : value > 127 ? 127 : value;
}

/** Converts opaque RGBA rows to 4:2:0 planes. `width` and `rows` are even. */
export function convertOpaque(
  rgba: usize,
  rgbaStride: i32,
  width: i32,
  rows: i32,
  luma: usize,
  lumaStride: i32,
  u: usize,
  v: usize,
  chromaStride: i32,
): void {
  for (let y = 0; y < rows; y += 2) {
    const upper = rgba + <usize>(y * rgbaStride);
    const lower = upper + <usize>rgbaStride;
    const lumaUpper = luma + <usize>(y * lumaStride);
    const lumaLower = lumaUpper + <usize>lumaStride;
    const chroma = <usize>((y >> 1) * chromaStride);
    for (let x = 0; x < width; x += 2) {
      let red: i32 = 0;
      let green: i32 = 0;
      let blue: i32 = 0;
      for (let corner = 0; corner < 4; corner++) {
        const column = x + (corner & 1);
        const pixel = load<u32>((corner < 2 ? upper : lower) + ((<usize>column) << 2));
        const r = <i32>(pixel & 255);
        const g = <i32>((pixel >> 8) & 255);
        const b = <i32>((pixel >> 16) & 255);
        store<u8>(
          (corner < 2 ? lumaUpper : lumaLower) + <usize>column,
          <u8>(16 + ((LUMA_RED * r + LUMA_GREEN * g + LUMA_BLUE * b + 32768) >> 16)),
        );
        red += r;
        green += g;
        blue += b;
      }
      const at = chroma + <usize>(x >> 1);
      store<u8>(u + at, <u8>(128 + ((U_RED * red + U_GREEN * green + U_BLUE * blue + 131072) >> 18)));
      store<u8>(v + at, <u8>(128 + ((V_RED * red + V_GREEN * green + V_BLUE * blue + 131072) >> 18)));
    }
  }
}

/** Halves an unsigned plane by averaging 2×2 pixels, for the next mip level of a map. */
export function halveOpaque(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  targetWidth: i32,
  targetHeight: i32,
): void {
  for (let y = 0; y < targetHeight; y++) {
    const upper = source + <usize>(2 * y * sourceStride);
    const lower = upper + <usize>sourceStride;
    for (let x = 0; x < targetWidth; x++) {
      const at = <usize>(2 * x);
      const sum =
        <i32>load<u8>(upper + at) +
        <i32>load<u8>(upper + at, 1) +
        <i32>load<u8>(lower + at) +
        <i32>load<u8>(lower + at, 1);
      store<u8>(target + <usize>(y * targetStride + x), <u8>((sum + 2) >> 2));
    }
  }
}

/** Luma and alpha planes of a sprite from premultiplied RGBA. */
export function bakeLuma(
  rgba: usize,
  width: i32,
  height: i32,
  luma: usize,
  alpha: usize,
  stride: i32,
  additive: i32,
): void {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = load<u32>(rgba + ((<usize>(y * width + x)) << 2));
      const opacity = <i32>(pixel >> 24);
      const light =
        LUMA_RED * <i32>(pixel & 255) + LUMA_GREEN * <i32>((pixel >> 8) & 255) + LUMA_BLUE * <i32>((pixel >> 16) & 255);
      const at = <usize>(y * stride + x);
      if (additive) {
        store<i8>(luma + at, <i8>clampSigned((light + 65536) >> 17));
        store<u8>(alpha + at, 0);
      } else {
        // Black is 16, which is -112 around 128; 28784 = 112 / 255 in 16.16.
        store<i8>(luma + at, <i8>clampSigned((light - 28784 * opacity + 32768) >> 16));
        store<u8>(alpha + at, <u8>opacity);
      }
    }
  }
}

/** Half-resolution chroma and alpha planes of a sprite whose top left corner is at (offsetX, offsetY), each 0 or 1. */
export function bakeChroma(
  rgba: usize,
  width: i32,
  height: i32,
  u: usize,
  v: usize,
  alpha: usize,
  stride: i32,
  chromaWidth: i32,
  chromaHeight: i32,
  offsetX: i32,
  offsetY: i32,
  additive: i32,
): void {
  const shift = additive ? 19 : 18;
  const half = 1 << (shift - 1);
  for (let y = 0; y < chromaHeight; y++) {
    for (let x = 0; x < chromaWidth; x++) {
      let red: i32 = 0;
      let green: i32 = 0;
      let blue: i32 = 0;
      let opacity: i32 = 0;
      for (let corner = 0; corner < 4; corner++) {
        const column = x * 2 + (corner & 1) - offsetX;
        const row = y * 2 + (corner >> 1) - offsetY;
        if (column < 0 || row < 0 || column >= width || row >= height) continue;
        const pixel = load<u32>(rgba + ((<usize>(row * width + column)) << 2));
        red += <i32>(pixel & 255);
        green += <i32>((pixel >> 8) & 255);
        blue += <i32>((pixel >> 16) & 255);
        opacity += <i32>(pixel >> 24);
      }
      const at = <usize>(y * stride + x);
      store<i8>(u + at, <i8>clampSigned((U_RED * red + U_GREEN * green + U_BLUE * blue + half) >> shift));
      store<i8>(v + at, <i8>clampSigned((V_RED * red + V_GREEN * green + V_BLUE * blue + half) >> shift));
      store<u8>(alpha + at, additive ? 0 : <u8>((opacity + 2) >> 2));
    }
  }
}

/** Halves a sprite's colour and alpha planes; rows and columns beyond the source count as transparent. */
export function halveSprite(
  colour: usize,
  alpha: usize,
  sourceStride: i32,
  targetColour: usize,
  targetAlpha: usize,
  targetStride: i32,
  targetWidth: i32,
  targetHeight: i32,
): void {
  for (let y = 0; y < targetHeight; y++) {
    for (let x = 0; x < targetWidth; x++) {
      const at = <usize>(2 * y * sourceStride + 2 * x);
      const below = at + <usize>sourceStride;
      const light =
        <i32>load<i8>(colour + at) +
        <i32>load<i8>(colour + at, 1) +
        <i32>load<i8>(colour + below) +
        <i32>load<i8>(colour + below, 1);
      const opacity =
        <i32>load<u8>(alpha + at) +
        <i32>load<u8>(alpha + at, 1) +
        <i32>load<u8>(alpha + below) +
        <i32>load<u8>(alpha + below, 1);
      const target = <usize>(y * targetStride + x);
      store<i8>(targetColour + target, <i8>((light + 2) >> 2));
      store<u8>(targetAlpha + target, <u8>((opacity + 2) >> 2));
    }
  }
}

/** The first of the two source pixels around the position given to `sampleAt`. */
let sampled: i32 = 0;

/** Clamps a position to the source. Returns its distance from `sampled` towards the next pixel, 0..127. */
function sampleAt(position: f64, last: f64): i32 {
  if (position < 0) position = 0;
  if (position > last) position = last;
  sampled = <i32>position;
  const fraction = <i32>((position - <f64>sampled) * 128.0 + 0.5);
  if (fraction < 128) return fraction;
  sampled++;
  return 0;
}

/**
 * Prepares horizontal resampling. Each group of 8 target pixels has 64 bytes:
 * [i32 first source column][i32 end of source columns][8 spare][16 byte shuffle][8 × (i16, i16) weights].
 * Target pixel i samples at `start + (i + 0.5) * step - 0.5` (clamped to the source), weighted by how much of it lies between `left` and
 * `right` (target pixels), which smooths the sides. `step` is at most 2, so that eight pixels come from 16 bytes. Returns 1 when every
 * pixel is an unweighted copy.
 */
export function buildColumns(
  table: usize,
  count: i32,
  start: f64,
  step: f64,
  sourceWidth: i32,
  left: f64,
  right: f64,
): i32 {
  let exact: i32 = 1;
  const groups = (count + 7) >> 3;
  const lastColumn = <f64>(sourceWidth - 1);
  for (let group = 0; group < groups; group++) {
    const entry = table + <usize>(group << 6);
    let base: i32 = 0;
    for (let lane = 0; lane < 8; lane++) {
      const column = group * 8 + lane;
      const fraction = sampleAt(start + (<f64>column + 0.5) * step - 0.5, lastColumn);
      const whole = sampled;
      if (lane == 0) base = whole;
      let coverage = Math.min(<f64>column + 1, right) - Math.max(<f64>column, left);
      if (coverage < 0 || column >= count) coverage = 0;
      if (coverage > 1) coverage = 1;
      if (fraction != 0 || whole - base != lane || (column < count && coverage < 1)) exact = 0;
      let offset = whole - base;
      if (offset > 14) offset = 14;
      store<u8>(entry + 16 + <usize>(lane * 2), <u8>offset);
      store<u8>(entry + 17 + <usize>(lane * 2), <u8>(offset + 1));
      const second = <i32>(<f64>fraction * coverage + 0.5);
      const both = <i32>(128.0 * coverage + 0.5);
      const weights = entry + 32 + <usize>(lane * 4);
      store<i16>(weights, <i16>(both - second));
      store<i16>(weights, <i16>second, 2);
    }
    store<i32>(entry, base);
    store<i32>(entry, base + 16, 4);
  }
  return exact;
}

/** The largest step at which 16 target pixels come from 16 bytes. */
const maxWideStep: f64 = 14.0 / 15.0;

/**
 * As `buildColumns`, unweighted, for groups of 16 target pixels, 128 bytes each: [i32 first source column]
 * [i32 end of source columns][8 spare][16 byte shuffle of the left source pixels][of the right ones][16 × i16 weight of the left ones][16 ×
 * i16 of the right ones]. Returns 0 and builds nothing for steps that are too large for it.
 */
export function buildWideColumns(table: usize, count: i32, start: f64, step: f64, sourceWidth: i32): i32 {
  if (step > maxWideStep) return 0;
  const groups = (count + 15) >> 4;
  const lastColumn = <f64>(sourceWidth - 1);
  for (let group = 0; group < groups; group++) {
    const entry = table + <usize>(group << 7);
    let base: i32 = 0;
    for (let lane = 0; lane < 16; lane++) {
      const fraction = sampleAt(start + (<f64>(group * 16 + lane) + 0.5) * step - 0.5, lastColumn);
      const whole = sampled;
      if (lane == 0) base = whole;
      const offset = whole - base;
      store<u8>(entry + 16 + <usize>lane, <u8>offset);
      // Whatever is beyond the 16 bytes has no weight.
      store<u8>(entry + 32 + <usize>lane, <u8>min<i32>(offset + 1, 15));
      store<i16>(entry + 48 + <usize>(lane * 2), <i16>(128 - fraction));
      store<i16>(entry + 80 + <usize>(lane * 2), <i16>fraction);
    }
    store<i32>(entry, base);
    store<i32>(entry, base + 16, 4);
  }
  return 1;
}

/**
 * Fills a whole target plane with one plane of the map. Rows sample at `start + (y + 0.5) * step - 0.5`. `scratch` holds one source row.
 * With `wide` the table comes from `buildWideColumns`.
 */
export function blitOpaque(
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  source: usize,
  sourceStride: i32,
  sourceHeight: i32,
  start: f64,
  step: f64,
  table: usize,
  exact: i32,
  wide: i32,
  scratch: usize,
): void {
  const groups = wide ? (width + 15) >> 4 : (width + 7) >> 3;
  const first = load<i32>(table);
  const span = load<i32>(table + <usize>((groups - 1) << (wide ? 7 : 6)), 4) - first;
  const half32 = i32x4.splat(64);
  const half16 = i16x8.splat(64);
  const lastRow = <f64>(sourceHeight - 1);
  for (let y = 0; y < height; y++) {
    const fraction = sampleAt(start + (<f64>y + 0.5) * step - 0.5, lastRow);
    const whole = sampled;
    const upper = source + <usize>(whole * sourceStride);
    let row = upper;
    if (fraction != 0) {
      const lower = upper + <usize>sourceStride;
      const upperWeight = i16x8.splat(<i16>(128 - fraction));
      const lowerWeight = i16x8.splat(<i16>fraction);
      for (let x = 0; x < span; x += 16) {
        const a = v128.load(upper + <usize>(first + x));
        const b = v128.load(lower + <usize>(first + x));
        const low = i16x8.add(
          i16x8.add(i16x8.mul(i16x8.extend_low_i8x16_u(a), upperWeight), half16),
          i16x8.mul(i16x8.extend_low_i8x16_u(b), lowerWeight),
        );
        const high = i16x8.add(
          i16x8.add(i16x8.mul(i16x8.extend_high_i8x16_u(a), upperWeight), half16),
          i16x8.mul(i16x8.extend_high_i8x16_u(b), lowerWeight),
        );
        v128.store(scratch + <usize>(first + x), i8x16.narrow_i16x8_u(i16x8.shr_u(low, 7), i16x8.shr_u(high, 7)));
      }
      row = scratch;
    }
    const out = target + <usize>(y * targetStride);
    if (exact) {
      memory.copy(out, row + <usize>first, <usize>width);
      continue;
    }
    let entry = table;
    if (wide) {
      for (let group = 0; group < groups; group++, entry += 128) {
        const bytes = v128.load(row + <usize>load<i32>(entry));
        const a = i8x16.swizzle(bytes, v128.load(entry, 16));
        const b = i8x16.swizzle(bytes, v128.load(entry, 32));
        const low = i16x8.add(
          i16x8.add(i16x8.mul(i16x8.extend_low_i8x16_u(a), v128.load(entry, 48)), half16),
          i16x8.mul(i16x8.extend_low_i8x16_u(b), v128.load(entry, 80)),
        );
        const high = i16x8.add(
          i16x8.add(i16x8.mul(i16x8.extend_high_i8x16_u(a), v128.load(entry, 64)), half16),
          i16x8.mul(i16x8.extend_high_i8x16_u(b), v128.load(entry, 96)),
        );
        v128.store(out + <usize>(group << 4), i8x16.narrow_i16x8_u(i16x8.shr_u(low, 7), i16x8.shr_u(high, 7)));
      }
      continue;
    }
    for (let group = 0; group < groups; group++, entry += 64) {
      const pairs = i8x16.swizzle(v128.load(row + <usize>load<i32>(entry)), v128.load(entry, 16));
      const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(pairs), v128.load(entry, 32));
      const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(pairs), v128.load(entry, 48));
      const words = i16x8.narrow_i32x4_u(
        i32x4.shr_u(i32x4.add(low, half32), 7),
        i32x4.shr_u(i32x4.add(high, half32), 7),
      );
      v128.store64_lane(out + <usize>(group << 3), i8x16.narrow_i16x8_u(words, words), 0);
    }
  }
}

/** Blends eight pixels. `frame` is signed around 128; `alpha` and `light` are already multiplied by the opacity. */
function blendLanes(frame: v128, alpha: v128, light: v128): v128 {
  const kept = i16x8.add(i16x8.mul(frame, i16x8.sub(i16x8.splat(255), alpha)), i16x8.splat(128));
  return i16x8.add(light, i16x8.shr_s(i16x8.add(kept, i16x8.shr_s(kept, 8)), 8));
}

/** Blends one pixel. */
function blendPixel(target: usize, alpha: i32, light: i32): void {
  const kept = (<i32>load<u8>(target) - 128) * (255 - alpha) + 128;
  store<u8>(target, <u8>clampByte(128 + light + ((kept + (kept >> 8)) >> 8)));
}

/**
 * Blends one plane of an unscaled sprite. With `padded` the columns after `width`, up to a multiple of 16, are known to be transparent in
 * the sprite, so whole vectors are blended.
 */
export function blendSprite(
  target: usize,
  targetStride: i32,
  colour: usize,
  alpha: usize,
  stride: i32,
  width: i32,
  height: i32,
  opacity: i32,
  shift: i32,
  padded: i32,
): void {
  const gain = i16x8.splat(<i16>opacity);
  const rounding: i32 = 1 << (shift - 1);
  const half = i16x8.splat(<i16>rounding);
  const half8 = i16x8.splat(128);
  const flip = i8x16.splat(-128);
  const vectors = padded ? (width + 15) & ~15 : width & ~15;
  for (let y = 0; y < height; y++) {
    const out = target + <usize>(y * targetStride);
    const lights = colour + <usize>(y * stride);
    const alphas = alpha + <usize>(y * stride);
    let x = 0;
    for (; x < vectors; x += 16) {
      const a = v128.load(alphas + <usize>x);
      const s = v128.load(lights + <usize>x);
      if (!v128.any_true(v128.or(a, s))) continue;
      const frame = v128.xor(v128.load(out + <usize>x), flip);
      const alphaLow = i16x8.shr_u(i16x8.add(i16x8.mul(i16x8.extend_low_i8x16_u(a), gain), half8), 8);
      const alphaHigh = i16x8.shr_u(i16x8.add(i16x8.mul(i16x8.extend_high_i8x16_u(a), gain), half8), 8);
      const lightLow = i16x8.shr_s(i16x8.add_sat_s(i16x8.mul(i16x8.extend_low_i8x16_s(s), gain), half), shift);
      const lightHigh = i16x8.shr_s(i16x8.add_sat_s(i16x8.mul(i16x8.extend_high_i8x16_s(s), gain), half), shift);
      v128.store(
        out + <usize>x,
        v128.xor(
          i8x16.narrow_i16x8_s(
            blendLanes(i16x8.extend_low_i8x16_s(frame), alphaLow, lightLow),
            blendLanes(i16x8.extend_high_i8x16_s(frame), alphaHigh, lightHigh),
          ),
          flip,
        ),
      );
    }
    for (; x < width; x++) {
      const a = (<i32>load<u8>(alphas + <usize>x) * opacity + 128) >> 8;
      const s = (<i32>load<i8>(lights + <usize>x) * opacity + rounding) >> shift;
      if (a | s) blendPixel(out + <usize>x, a, s);
    }
  }
}

/**
 * Blends one plane of a scaled sprite. `table` (buildColumns) covers `width` target pixels from `target`; rows sample at `start + (y + 0.5)
 * * step - 0.5`, weighted by how much of them lies between `top` and `bottom` (target rows). `scratch` holds two source rows of `stride`
 * bytes, 64 apart.
 */
export function blendScaled(
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  colour: usize,
  alpha: usize,
  stride: i32,
  sourceHeight: i32,
  start: f64,
  step: f64,
  top: f64,
  bottom: f64,
  table: usize,
  scratch: usize,
  opacity: i32,
  shift: i32,
): void {
  const groups = (width + 7) >> 3;
  const first = load<i32>(table);
  const span = load<i32>(table + <usize>((groups - 1) << 6), 4) - first;
  const colourScratch = scratch;
  const alphaScratch = scratch + <usize>(stride + 64);
  const half32 = i32x4.splat(64);
  const half16 = i16x8.splat(64);
  const rounding: i32 = 1 << (shift - 1);
  const half = i16x8.splat(<i16>rounding);
  const half8 = i16x8.splat(128);
  const flip = i8x16.splat(-128);
  const lastRow = <f64>(sourceHeight - 1);
  for (let y = 0; y < height; y++) {
    const coverage = Math.min(1, Math.min(<f64>y + 1, bottom) - Math.max(<f64>y, top));
    if (coverage <= 0) continue;
    const gain = i16x8.splat(<i16>(<f64>opacity * coverage + 0.5));
    let position = start + (<f64>y + 0.5) * step - 0.5;
    if (position < 0) position = 0;
    if (position > lastRow) position = lastRow;
    const whole = <i32>position;
    const fraction = <i32>((position - <f64>whole) * 128.0 + 0.5);
    const offset = <usize>(whole * stride + first);
    let colourRow = colour + offset;
    let alphaRow = alpha + offset;
    if (fraction != 0) {
      const upperWeight = i16x8.splat(<i16>(128 - fraction));
      const lowerWeight = i16x8.splat(<i16>fraction);
      for (let x = 0; x < span; x += 16) {
        const from = <usize>x;
        const a = v128.load(colourRow + from);
        const b = v128.load(colourRow + from + <usize>stride);
        v128.store(
          colourScratch + from,
          i8x16.narrow_i16x8_s(
            i16x8.shr_s(
              i16x8.add(
                i16x8.add(i16x8.mul(i16x8.extend_low_i8x16_s(a), upperWeight), half16),
                i16x8.mul(i16x8.extend_low_i8x16_s(b), lowerWeight),
              ),
              7,
            ),
            i16x8.shr_s(
              i16x8.add(
                i16x8.add(i16x8.mul(i16x8.extend_high_i8x16_s(a), upperWeight), half16),
                i16x8.mul(i16x8.extend_high_i8x16_s(b), lowerWeight),
              ),
              7,
            ),
          ),
        );
        const c = v128.load(alphaRow + from);
        const d = v128.load(alphaRow + from + <usize>stride);
        v128.store(
          alphaScratch + from,
          i8x16.narrow_i16x8_u(
            i16x8.shr_u(
              i16x8.add(
                i16x8.add(i16x8.mul(i16x8.extend_low_i8x16_u(c), upperWeight), half16),
                i16x8.mul(i16x8.extend_low_i8x16_u(d), lowerWeight),
              ),
              7,
            ),
            i16x8.shr_u(
              i16x8.add(
                i16x8.add(i16x8.mul(i16x8.extend_high_i8x16_u(c), upperWeight), half16),
                i16x8.mul(i16x8.extend_high_i8x16_u(d), lowerWeight),
              ),
              7,
            ),
          ),
        );
      }
      colourRow = colourScratch;
      alphaRow = alphaScratch;
    }
    const out = target + <usize>(y * targetStride);
    let entry = table;
    for (let group = 0; group < groups; group++, entry += 64) {
      const from = <usize>(load<i32>(entry) - first);
      const shuffle = v128.load(entry, 16);
      const s = i8x16.swizzle(v128.load(colourRow + from), shuffle);
      const a = i8x16.swizzle(v128.load(alphaRow + from), shuffle);
      if (!v128.any_true(v128.or(a, s))) continue;
      const lowWeights = v128.load(entry, 32);
      const highWeights = v128.load(entry, 48);
      const light = i16x8.narrow_i32x4_s(
        i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(s), lowWeights), half32), 7),
        i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(s), highWeights), half32), 7),
      );
      const opaque = i16x8.narrow_i32x4_s(
        i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(a), lowWeights), half32), 7),
        i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(a), highWeights), half32), 7),
      );
      const at = out + <usize>(group << 3);
      const frame = i16x8.extend_low_i8x16_s(v128.xor(v128.load64_zero(at), flip));
      const blended = blendLanes(
        frame,
        i16x8.shr_u(i16x8.add(i16x8.mul(opaque, gain), half8), 8),
        i16x8.shr_s(i16x8.add_sat_s(i16x8.mul(light, gain), half), shift),
      );
      v128.store64_lane(at, v128.xor(i8x16.narrow_i16x8_s(blended, blended), flip), 0);
    }
  }
}

let spanFrom: f32 = 0;
let spanTo: f32 = 0;

/** Narrows the span [spanFrom, spanTo) to where `0 < base + slope * x < limit`. */
function narrowSpan(base: f32, slope: f32, limit: f32): void {
  narrowSpanBy(base, inverseSlope(slope), limit);
}

/** The divisor of `narrowSpanBy`, computed once for all rows of a shape; 0 for a line that does not rise. */
function inverseSlope(slope: f32): f32 {
  return Mathf.abs(slope) < 1e-6 ? 0 : 1 / slope;
}

function narrowSpanBy(base: f32, inverse: f32, limit: f32): void {
  if (inverse == 0) {
    if (base <= 0 || base >= limit) spanTo = spanFrom;
    return;
  }
  const atZero = -base * inverse;
  const atLimit = (limit - base) * inverse;
  spanFrom = Mathf.max(spanFrom, Mathf.min(atZero, atLimit));
  spanTo = Mathf.min(spanTo, Mathf.max(atZero, atLimit));
}

/** Weighted mean of four signed pixels; the weights add up to 256. */
function weighted(at: usize, stride: i32, weight00: i32, weight10: i32, weight01: i32, weight11: i32): i32 {
  const below = at + <usize>stride;
  return (
    (<i32>load<i8>(at) * weight00 +
      <i32>load<i8>(at, 1) * weight10 +
      <i32>load<i8>(below) * weight01 +
      <i32>load<i8>(below, 1) * weight11 +
      128) >>
    8
  );
}

/**
 * Blends one plane of a sprite under an affine map, bilinear; with `otherColour` also a second one with the same alpha, at `otherTarget`.
 * The source position of the target pixel centre (x + 0.5, y + 0.5) is u = ux * (x + 0.5) + uy * (y + 0.5) + u0, likewise v, in source
 * pixels. The sprite is transparent beyond its edges and beyond `content` (in source pixels, counted from one before the first).
 */
export function blendAffine(
  target: usize,
  targetStride: i32,
  left: i32,
  top: i32,
  right: i32,
  bottom: i32,
  colour: usize,
  alpha: usize,
  stride: i32,
  sourceWidth: i32,
  sourceHeight: i32,
  ux: f32,
  uy: f32,
  u0: f32,
  vx: f32,
  vy: f32,
  v0: f32,
  opacity: i32,
  shift: i32,
  contentLeft: f32,
  contentTop: f32,
  contentRight: f32,
  contentBottom: f32,
  otherTarget: usize,
  otherColour: usize,
): void {
  const stepU = <i32>(ux * 65536);
  const stepV = <i32>(vx * 65536);
  const half = 1 << (shift - 1);
  for (let y = top; y < bottom; y++) {
    // One source pixel beyond each side, where the border makes a smooth edge.
    const rowU = ux * 0.5 + uy * (<f32>y + 0.5) + u0 + 0.5;
    const rowV = vx * 0.5 + vy * (<f32>y + 0.5) + v0 + 0.5;
    spanFrom = <f32>left;
    spanTo = <f32>right;
    narrowSpan(rowU, ux, <f32>(sourceWidth + 1));
    narrowSpan(rowV, vx, <f32>(sourceHeight + 1));
    const from = <i32>Mathf.ceil(spanFrom);
    const to = <i32>Mathf.floor(spanTo) + 1 < right ? <i32>Mathf.floor(spanTo) + 1 : right;
    // Counted from the whole sprite's edge, so that the examined span does not affect pixels.
    let u = <i32>((rowU + ux * <f32>from - 1) * 65536);
    let v = <i32>((rowV + vx * <f32>from - 1) * 65536);
    spanFrom = <f32>from;
    spanTo = <f32>to;
    // Half a pixel more on both sides, for rounding.
    narrowSpan(rowU - contentLeft + 0.5, ux, contentRight - contentLeft + 1);
    narrowSpan(rowV - contentTop + 0.5, vx, contentBottom - contentTop + 1);
    if (spanTo <= spanFrom) continue;
    const begin = max<i32>(from, <i32>Mathf.floor(spanFrom) - 1);
    const end = min<i32>(to, <i32>Mathf.floor(spanTo) + 2);
    u += stepU * (begin - from);
    v += stepV * (begin - from);
    const out = target + <usize>(y * targetStride);
    const otherOut = otherTarget + <usize>(y * targetStride);
    for (let x = begin; x < end; x++, u += stepU, v += stepV) {
      const column = u >> 16;
      const row = v >> 16;
      if (<u32>(column + 1) > <u32>sourceWidth || <u32>(row + 1) > <u32>sourceHeight) continue;
      const at = row * stride + column;
      const lights = colour + at;
      const otherLights = otherColour + at;
      const alphas = alpha + at;
      // Most of a letter on the ground, or of a ring, is transparent.
      const alphaPairs = load<u16>(alphas) | load<u16>(alphas + stride);
      let pairs = <u32>(alphaPairs | load<u16>(lights) | load<u16>(lights + stride));
      if (otherColour) pairs |= <u32>(load<u16>(otherLights) | load<u16>(otherLights + stride));
      if (!pairs) continue;
      const fractionU = (u >> 8) & 255;
      const fractionV = (v >> 8) & 255;
      const weight11 = (fractionU * fractionV) >> 8;
      const weight10 = fractionU - weight11;
      const weight01 = fractionV - weight11;
      const weight00 = 256 - fractionU - fractionV + weight11;
      const a =
        (<i32>load<u8>(alphas) * weight00 +
          <i32>load<u8>(alphas, 1) * weight10 +
          <i32>load<u8>(alphas + stride) * weight01 +
          <i32>load<u8>(alphas + stride, 1) * weight11 +
          128) >>
        8;
      const kept = (a * opacity + 128) >> 8;
      const s = weighted(lights, stride, weight00, weight10, weight01, weight11);
      if (a | s) blendPixel(out + <usize>x, kept, (s * opacity + half) >> shift);
      if (otherColour) {
        const t = weighted(otherLights, stride, weight00, weight10, weight01, weight11);
        if (a | t) blendPixel(otherOut + <usize>x, kept, (t * opacity + half) >> shift);
      }
    }
  }
}

function mixPixel(target: usize, value: i32, opacity: i32): void {
  const frame = <i32>load<u8>(target);
  store<u8>(target, <u8>(frame + (((value - frame) * opacity + 128) >> 8)));
}

/**
 * Draws a straight line with smooth sides and square ends; its opacity goes from `opacity0` to `opacity1` (0..256). `halfWidth` is in
 * pixels of this plane. With `otherTarget` a second plane of the same size gets `otherValue`.
 */
export function blendLine(
  target: usize,
  stride: i32,
  planeWidth: i32,
  planeHeight: i32,
  x0: f32,
  y0: f32,
  x1: f32,
  y1: f32,
  halfWidth: f32,
  value: i32,
  opacity0: f32,
  opacity1: f32,
  otherTarget: usize,
  otherValue: i32,
): void {
  const dx = x1 - x0;
  const dy = y1 - y0;
  const length = Mathf.sqrt(dx * dx + dy * dy);
  if (length < 0.01) return;
  const unitX = dx / length;
  const unitY = dy / length;
  const reach = halfWidth + 1;
  const most = Mathf.min(1, 2 * halfWidth);
  const rise = (opacity1 - opacity0) / length;
  const top = max<i32>(0, <i32>Mathf.floor(Mathf.min(y0, y1) - reach));
  const bottom = min<i32>(planeHeight, <i32>Mathf.ceil(Mathf.max(y0, y1) + reach));
  for (let y = top; y < bottom; y++) {
    const py = <f32>y + 0.5 - y0;
    // The part of this row within the band of `reach` around the line, across and along it.
    spanFrom = 0;
    spanTo = <f32>planeWidth;
    narrowSpan((0.5 - x0) * unitY - py * unitX + reach, unitY, 2 * reach);
    narrowSpan((0.5 - x0) * unitX + py * unitY + reach, unitX, length + 2 * reach);
    const from = <i32>Mathf.ceil(spanFrom);
    const to = <i32>Mathf.min(Mathf.floor(spanTo) + 1, <f32>planeWidth);
    const row = target + <usize>(y * stride);
    const otherRow = otherTarget + <usize>(y * stride);
    for (let x = from; x < to; x++) {
      const px = <f32>x + 0.5 - x0;
      const along = px * unitX + py * unitY;
      const ends = Mathf.min(1, Mathf.min(along, length - along) + 0.5);
      const body = Mathf.min(most, halfWidth + 0.5 - Mathf.abs(px * unitY - py * unitX));
      if (body <= 0 || ends <= 0) continue;
      const inside = Mathf.min(Mathf.max(along, 0), length);
      const mixed = <i32>(body * ends * (opacity0 + rise * inside) + 0.5);
      mixPixel(row + <usize>x, value, mixed);
      if (otherTarget) mixPixel(otherRow + <usize>x, otherValue, mixed);
    }
  }
}

/**
 * Draws a ring, an arc or (with halfWidth = radius / 2 around half the radius) a disc, squashed vertically. `fraction` of the circle is
 * drawn clockwise from the top. With `flat` the stroke is squashed along with the circle, otherwise its width is the same everywhere. With
 * `otherTarget` a second plane of the same size gets `otherValue`.
 */
export function blendRing(
  target: usize,
  stride: i32,
  planeWidth: i32,
  planeHeight: i32,
  centreX: f32,
  centreY: f32,
  radius: f32,
  halfWidth: f32,
  squash: f32,
  fraction: f32,
  value: i32,
  opacity: f32,
  flat: i32,
  otherTarget: usize,
  otherValue: i32,
): void {
  const outer = radius + halfWidth + 1 / Mathf.min(1, squash);
  const reachY = flat ? outer * squash : radius * squash + halfWidth + 1;
  const left = max<i32>(0, <i32>Mathf.floor(centreX - outer));
  const right = min<i32>(planeWidth, <i32>Mathf.ceil(centreX + outer));
  const top = max<i32>(0, <i32>Mathf.floor(centreY - reachY));
  const bottom = min<i32>(planeHeight, <i32>Mathf.ceil(centreY + reachY));
  const angle: f32 = fraction * 6.2831853;
  const endX = Mathf.sin(angle);
  const endY = -Mathf.cos(angle);
  const whole = fraction >= 0.999;
  const unsquash: f32 = 1 / squash;
  const most = Mathf.min(1, 2 * halfWidth * (flat ? Mathf.min(1, squash) : 1));
  const steepest = Mathf.max(1, unsquash);
  const hollow = radius - (flat ? halfWidth + 0.5 * steepest : (halfWidth + 0.5) * steepest) - 0.5;
  for (let y = top; y < bottom; y++) {
    const dy = (<f32>y + 0.5 - centreY) * unsquash;
    const row = target + <usize>(y * stride);
    const otherRow = otherTarget + <usize>(y * stride);
    // The stroke has no pixels within this half chord: the gradient is at most `steepest` long.
    const reachX = hollow > 0 && Mathf.abs(dy) < hollow ? Mathf.sqrt(hollow * hollow - dy * dy) - 1 : 0;
    const holeFrom = <i32>Mathf.ceil(centreX - reachX);
    const holeTo = <i32>Mathf.floor(centreX + reachX) - 1;
    for (let x = left; x < right; x++) {
      if (x >= holeFrom && x < holeTo) {
        x = holeTo;
        continue;
      }
      const dx = <f32>x + 0.5 - centreX;
      const distance = Mathf.sqrt(dx * dx + dy * dy);
      // Dividing `distance` by the length of its gradient gives pixels of the frame.
      const slope: f32 =
        distance > 0.001 ? Mathf.sqrt(dx * dx + dy * dy * unsquash * unsquash) / distance : Mathf.min(1, unsquash);
      const off = Mathf.abs(distance - radius);
      let coverage = flat ? (halfWidth - off) / slope + 0.5 : halfWidth - off / slope + 0.5;
      if (coverage <= 0) continue;
      if (coverage > most) coverage = most;
      if (!whole) {
        // Signed distances (in unsquashed pixels) to the two radii that end the arc.
        const fromStart = dx;
        const fromEnd = endX * dy - endY * dx;
        const inside: f32 = fraction <= 0.5 ? Mathf.min(fromStart, -fromEnd) : Mathf.max(fromStart, -fromEnd);
        coverage *= Mathf.max(0, Mathf.min(1, inside + 0.5));
        if (coverage <= 0) continue;
      }
      const mixed = <i32>(coverage * opacity + 0.5);
      mixPixel(row + <usize>x, value, mixed);
      if (otherTarget) mixPixel(otherRow + <usize>x, otherValue, mixed);
    }
  }
}

/** Mixes four adjacent pixels with a colour, by 0..256. */
function mixFour(target: usize, colour: v128, amount: v128): void {
  const frame = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(target)));
  const difference = i32x4.mul(i32x4.sub(colour, frame), amount);
  const mixed = i32x4.add(frame, i32x4.shr_s(i32x4.add(difference, i32x4.splat(128)), 8));
  const words = i16x8.narrow_i32x4_u(mixed, mixed);
  v128.store32_lane(target, i8x16.narrow_i16x8_u(words, words), 0);
}

/**
 * Draws a view cone: opacity falls as (1 - distance / radius)², its two sides are smoothed over one pixel of the plane.
 * (unitX, unitY) is the direction before squashing, `cosHalf` and `sinHalf` belong to half the opening angle (below 90°).
 * [left, right) × [top, bottom) bounds the work; left and right are multiples of 4.
 * With `otherTarget` a second plane of the same size gets `otherValue`.
 */
export function blendCone(
  target: usize,
  stride: i32,
  left: i32,
  top: i32,
  right: i32,
  bottom: i32,
  centreX: f32,
  centreY: f32,
  radius: f32,
  squash: f32,
  unitX: f32,
  unitY: f32,
  cosHalf: f32,
  sinHalf: f32,
  value: i32,
  opacity: f32,
  otherTarget: usize,
  otherValue: i32,
): void {
  const unsquash: f32 = 1 / squash;
  const inverseRadius = f32x4.splat(1 / radius);
  const centre = f32x4.splat(centreX - 0.5);
  const ramp = f32x4(0, 1, 2, 3);
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  const half = f32x4.splat(0.5);
  const cosine = f32x4.splat(cosHalf);
  const sine = f32x4.splat(sinHalf);
  const directionX = f32x4.splat(unitX);
  const directionY = f32x4.splat(unitY);
  const strength = f32x4.splat(opacity);
  const colour = i32x4.splat(value);
  const otherColour = i32x4.splat(otherValue);
  // `side` below is the lesser of two linear functions of x; these are their slopes in x and y.
  const slopeOne = unitX * sinHalf - unitY * cosHalf;
  const riseOne = unitY * sinHalf + unitX * cosHalf;
  const slopeTwo = unitX * sinHalf + unitY * cosHalf;
  const riseTwo = unitY * sinHalf - unitX * cosHalf;
  const inverseOne = inverseSlope(slopeOne);
  const inverseTwo = inverseSlope(slopeTwo);
  for (let y = top; y < bottom; y++) {
    const offsetY = (<f32>y + 0.5 - centreY) * unsquash;
    if (Mathf.abs(offsetY) >= radius) continue;
    const dy = f32x4.splat(offsetY);
    const dySquared = f32x4.mul(dy, dy);
    const dyAlong = f32x4.mul(dy, directionY);
    const dyAcross = f32x4.mul(dy, directionX);
    // The part of this row within the wedge and the circle, and a pixel more so that rounding does not lose one.
    const reach = Mathf.sqrt(radius * radius - offsetY * offsetY) + 1;
    spanFrom = Mathf.max(<f32>left, centreX - reach);
    spanTo = Mathf.min(<f32>right, centreX + reach);
    narrowSpanBy(slopeOne * (0.5 - centreX) + offsetY * riseOne + 1, inverseOne, 1e6);
    narrowSpanBy(slopeTwo * (0.5 - centreX) + offsetY * riseTwo + 1, inverseTwo, 1e6);
    if (spanTo <= spanFrom) continue;
    const from = max<i32>(left, <i32>spanFrom & ~3);
    const to = min<i32>(right, (<i32>spanTo + 4) & ~3);
    const row = target + <usize>(y * stride);
    const otherRow = otherTarget + <usize>(y * stride);
    for (let x = from; x < to; x += 4) {
      const dx = f32x4.sub(f32x4.add(f32x4.splat(<f32>x), ramp), centre);
      const along = f32x4.add(f32x4.mul(dx, directionX), dyAlong);
      const across = f32x4.abs(f32x4.sub(f32x4.mul(dx, directionY), dyAcross));
      // Distance to the nearer side of the wedge, positive inside.
      const side = f32x4.add(f32x4.sub(f32x4.mul(along, sine), f32x4.mul(across, cosine)), half);
      if (!v128.any_true(f32x4.gt(side, zero))) continue;
      const distance = f32x4.sqrt(f32x4.add(f32x4.mul(dx, dx), dySquared));
      const fade = f32x4.max(zero, f32x4.sub(one, f32x4.mul(distance, inverseRadius)));
      const edge = f32x4.max(zero, f32x4.min(one, side));
      const amount = i32x4.trunc_sat_f32x4_s(
        f32x4.add(f32x4.mul(f32x4.mul(f32x4.mul(fade, fade), edge), strength), half),
      );
      mixFour(row + <usize>x, colour, amount);
      if (otherTarget) mixFour(otherRow + <usize>x, otherColour, amount);
    }
  }
}

/** Draws a filled rectangle; pixels at its edges are weighted by how much of them it covers. */
export function blendRectangle(
  target: usize,
  stride: i32,
  planeWidth: i32,
  planeHeight: i32,
  left: f32,
  top: f32,
  right: f32,
  bottom: f32,
  value: i32,
  opacity: f32,
): void {
  const firstColumn = max<i32>(0, <i32>Mathf.floor(left));
  const endColumn = min<i32>(planeWidth, <i32>Mathf.ceil(right));
  const firstRow = max<i32>(0, <i32>Mathf.floor(top));
  const endRow = min<i32>(planeHeight, <i32>Mathf.ceil(bottom));
  for (let y = firstRow; y < endRow; y++) {
    const rowOpacity = opacity * (Mathf.min(<f32>y + 1, bottom) - Mathf.max(<f32>y, top));
    const row = target + <usize>(y * stride);
    const whole = <i32>(rowOpacity + 0.5);
    const kept = i16x8.splat(<i16>(256 - whole));
    const added = i16x8.splat(<i16>(value * whole + 128));
    let x = firstColumn;
    while (x < endColumn) {
      if (<f32>x >= left && <f32>(x + 16) <= right && x + 16 <= endColumn) {
        const frame = v128.load(row + <usize>x);
        v128.store(
          row + <usize>x,
          i8x16.narrow_i16x8_u(
            i16x8.shr_u(i16x8.add(i16x8.mul(i16x8.extend_low_i8x16_u(frame), kept), added), 8),
            i16x8.shr_u(i16x8.add(i16x8.mul(i16x8.extend_high_i8x16_u(frame), kept), added), 8),
          ),
        );
        x += 16;
        continue;
      }
      const coverage = Mathf.min(<f32>x + 1, right) - Mathf.max(<f32>x, left);
      mixPixel(row + <usize>x, value, <i32>(rowOpacity * coverage + 0.5));
      x++;
    }
  }
}

/** Mixes a second picture into the first with `opacity` 0..256; `bytes` is a multiple of 16. */
export function dissolve(target: usize, other: usize, bytes: i32, opacity: i32): void {
  const kept = i16x8.splat(<i16>(256 - opacity));
  const added = i16x8.splat(<i16>opacity);
  const half = i16x8.splat(128);
  for (let at: usize = 0; at < <usize>bytes; at += 16) {
    const a = v128.load(target + at);
    const b = v128.load(other + at);
    const low = i16x8.add(
      i16x8.add(i16x8.mul(i16x8.extend_low_i8x16_u(a), kept), half),
      i16x8.mul(i16x8.extend_low_i8x16_u(b), added),
    );
    const high = i16x8.add(
      i16x8.add(i16x8.mul(i16x8.extend_high_i8x16_u(a), kept), half),
      i16x8.mul(i16x8.extend_high_i8x16_u(b), added),
    );
    v128.store(target + at, i8x16.narrow_i16x8_u(i16x8.shr_u(low, 8), i16x8.shr_u(high, 8)));
  }
}
