import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClipSegment, ClipSpec } from "../../replay/clip-spec.ts";
import { planTimeMap } from "../../replay/time-map.ts";
import { integratedLoudness, type StereoSound } from "./sound/master.ts";
import { sampleRate, shotVoice, type VoiceName, voices } from "./sound/voices.ts";
import { encodeWav } from "./sound/wav.ts";
import { composeSoundtrack } from "./soundtrack.ts";
import { type ParsedReel, parseReel } from "./testing/reel-clip.ts";

let reel: ParsedReel;
let clip: ClipSpec;

beforeAll(async () => {
  reel = await parseReel();
  clip = reel.clipOf("ace");
});
afterAll(() => rmSync(reel.folder, { recursive: true }));

const timeMapOf = (segment: ClipSegment, record = reel.track.record) => planTimeMap(record, segment, 60);
const framesOf = (spec: ClipSpec) => spec.segments.reduce((sum, segment) => sum + timeMapOf(segment).frameCount, 0);
const compose = (spec: ClipSpec) => composeSoundtrack(reel.track, spec, framesOf(spec));

/** Root mean square of a stretch, seconds. */
function level(channel: Float32Array, from: number, to: number): number {
  const stretch = channel.subarray(Math.round(from * sampleRate), Math.round(to * sampleRate));
  return Math.sqrt(stretch.reduce((sum, sample) => sum + sample * sample, 0) / stretch.length);
}

const peak = ({ left, right }: StereoSound) =>
  Math.max(...[left, right].map((channel) => channel.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0)));

test("is exactly as long as the video", () => {
  const frameCount = framesOf(clip);
  const sound = compose(clip);
  expect(sound.left.length).toBe((frameCount / 60) * sampleRate);
  expect(sound.right.length).toBe(sound.left.length);
});

test("is the same every time", () => {
  expect(Buffer.compare(encodeWav(compose(clip)), encodeWav(compose(clip)))).toBe(0);
});

test("is neither startling nor faint, and never clips, whatever happens in the clip", () => {
  for (const type of ["ace", "knife_kill", "nade_kill", "ninja_defuse", "no_scope"] as const) {
    const sound = compose(reel.clipOf(type));
    expect(integratedLoudness(sound), type).toBeGreaterThan(-23);
    expect(integratedLoudness(sound), type).toBeLessThan(-18);
    expect(peak(sound), type).toBeLessThan(0.84);
    expect(peak(sound), type).toBeGreaterThan(0.1);
  }
});

test("is heard at the tick where something happens", () => {
  const segment = clip.segments[0]!;
  const sound = compose(clip);
  for (const tick of segment.captions[0]!.momentTicks.filter((moment) => moment < segment.endTick)) {
    const seconds = timeMapOf(segment).secondsAt(tick);
    expect(level(sound.left, seconds, seconds + 0.12)).toBeGreaterThan(3 * level(sound.left, 0.1, 0.4));
  }
});

test("stands where it happens: a shot in the east is heard on the right, a farther one is fainter", () => {
  const [segment] = clip.segments;
  const { record, windows } = structuredClone(reel.track);
  const listener = segment!.player;
  const shooter = record.players.findIndex((_, player) => player !== listener && windows[0]!.players[player]);
  const tick = Math.round((segment!.startTick + segment!.endTick) / 2);
  const scene = (x: number, y: number) => {
    const track = structuredClone(reel.track);
    for (const window of track.windows) {
      for (const [player, place] of [
        [listener, [0, 0]],
        [shooter, [x, y]],
      ] as const) {
        window.players[player]?.x.fill(place[0]);
        window.players[player]?.y.fill(place[1]);
        window.players[player]?.z.fill(0);
      }
    }
    const { record } = track;
    for (const list of [record.kills, record.deaths, record.shots, record.damages, record.grenades, record.bomb])
      list.length = 0;
    record.shots.push({ tick, player: shooter, weapon: "ak47", yaw: 0 });
    // Loudness is levelled over the whole clip: a nearer shot of the listener keeps the measure.
    record.shots.push({ tick: tick - 64, player: listener, weapon: "awp", yaw: 0 });
    const timeMap = timeMapOf(segment!, track.record);
    const sound = composeSoundtrack(track, { ...clip, segments: [segment!] }, timeMap.frameCount);
    const seconds = timeMap.secondsAt(tick);
    return { left: level(sound.left, seconds, seconds + 0.05), right: level(sound.right, seconds, seconds + 0.05) };
  };
  const east = scene(700, 0);
  const west = scene(-700, 0);
  const north = scene(0, 700);
  const far = scene(0, 3000);
  expect(east.right).toBeGreaterThan(1.3 * east.left);
  expect(west.left).toBeGreaterThan(1.3 * west.right);
  expect(north.left / north.right).toBeCloseTo(1, 1);
  expect(north.left).toBeGreaterThan(1.5 * far.left);
});

test("fades out before a cut instead of clicking", () => {
  const segment = clip.segments[0]!;
  const middle = segment.captions[0]!.momentTicks[0]! + 40;
  const halves = [
    { ...segment, endTick: middle },
    { ...segment, startTick: middle },
  ];
  // A shot rings at the cut.
  const track = structuredClone(reel.track);
  const shotTick = middle - 4;
  track.record.shots.push({ tick: shotTick, player: segment.player, weapon: "awp", yaw: 0 });
  const timeMap = timeMapOf(halves[0]!, track.record);
  const frameCount = timeMap.frameCount + timeMapOf(halves[1]!, track.record).frameCount;
  const sound = composeSoundtrack(track, { ...clip, segments: halves }, frameCount);
  const at = timeMap.frameCount / 60;
  const shotAt = timeMap.secondsAt(shotTick);
  // What remains at the cut is ambience and the air of the cut itself.
  expect(level(sound.left, at - 0.004, at)).toBeLessThan(0.5 * level(sound.left, shotAt, shotAt + 0.03));
});

test("has voices that begin and end in silence and stay within -1..1", () => {
  const all = [
    ...(Object.keys(voices) as VoiceName[]).map((name) => [name, voices[name]()] as const),
    ...(["pistol", "rifle", "sniper", "suppressed"] as const).map((kind) => [kind, shotVoice(kind, 1)] as const),
  ];
  for (const [name, voice] of all) {
    expect(Math.abs(voice[0]!), name).toBeLessThan(0.25);
    expect(Math.abs(voice.at(-1)!), name).toBeLessThan(0.01);
    expect(
      voice.every((sample) => Math.abs(sample) <= 1),
      name,
    ).toBe(true);
  }
});

test("measures loudness as BS.1770 does: a full-scale sine of 997 Hz on one channel is -3.01 LUFS", () => {
  const sine = Float32Array.from({ length: 3 * sampleRate }, (_, i) => Math.sin((2 * Math.PI * 997 * i) / sampleRate));
  expect(integratedLoudness({ left: sine, right: new Float32Array(sine.length) })).toBeCloseTo(-3.01, 1);
  expect(integratedLoudness({ left: new Float32Array(9000), right: new Float32Array(9000) })).toBe(-Infinity);
});
