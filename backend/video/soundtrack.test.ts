import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClipSegment, ClipSpec } from "../../replay/clip-spec.ts";
import { planClipTime } from "../../scene/clip-time.ts";
import { ceiling, integratedLoudness, master, type StereoSound } from "../../scene/sound/master.ts";
import { shotKindNames, shotVoice } from "../../scene/sound/shot-voices.ts";
import { composeSoundtrack } from "../../scene/sound/soundtrack.ts";
import { sampleRate } from "../../scene/sound/synthesis.ts";
import { truePeak } from "../../scene/sound/true-peak.ts";
import { ambience, killVoice, type VoiceName, voices } from "../../scene/sound/voices.ts";
import { planTimeMap } from "../../scene/time-map.ts";
import { encodeWav } from "./sound/wav.ts";
import { bandEnergyShare } from "./testing/band-energy.ts";
import { type ParsedReel, parseReel } from "./testing/reel-clip.ts";

let reel: ParsedReel;
let clip: ClipSpec;

beforeAll(async () => {
  reel = await parseReel();
  clip = reel.clipOf("ace");
});
afterAll(() => rmSync(reel.folder, { recursive: true }));

const timeMapOf = (segment: ClipSegment, record = reel.track.record) => planTimeMap(record, segment, 60);
const framesOf = (spec: ClipSpec) => planClipTime(reel.track.record, spec).frameCount;
const compose = (spec: ClipSpec) => composeSoundtrack(reel.track, spec, framesOf(spec));

/** Root mean square of a range in seconds. */
function level(channel: Float32Array, from: number, to: number): number {
  const stretch = channel.subarray(Math.round(from * sampleRate), Math.round(to * sampleRate));
  return Math.sqrt(stretch.reduce((sum, sample) => sum + sample * sample, 0) / stretch.length);
}

const truePeakOf = ({ left, right }: StereoSound) => Math.max(truePeak(left), truePeak(right));

/** A sound through ffmpeg's `highpass=f=350`: about what a phone's speaker leaves of it. */
function onPhone({ left, right }: StereoSound): StereoSound {
  const turn = (2 * Math.PI * 350) / sampleRate;
  const alpha = Math.sin(turn) * Math.SQRT1_2;
  const cos = Math.cos(turn);
  const passed = (channel: Float32Array) => {
    let [in1, in2, out1, out2] = [0, 0, 0, 0];
    return channel.map((sample) => {
      const through = ((1 + cos) / 2) * (sample - 2 * in1 + in2);
      const out = (through + 2 * cos * out1 - (1 - alpha) * out2) / (1 + alpha);
      [in1, in2, out1, out2] = [sample, in1, out, out1];
      return out;
    });
  };
  return { left: passed(left), right: passed(right) };
}

/** All voices by name. */
const allVoices = () => [
  ...(Object.keys(voices) as VoiceName[]).map((name) => [name, voices[name]()] as const),
  ...shotKindNames.flatMap((kind) => [0, 1, 2].map((take) => [`${kind} ${take}`, shotVoice(kind, take)] as const)),
  ...[0, 1, 2, 3, 4].map((earlier) => [`kill ${earlier}`, killVoice(earlier)] as const),
];

test("is exactly as long as the video", () => {
  const frameCount = framesOf(clip);
  const sound = compose(clip);
  expect(sound.left.length).toBe((frameCount / 60) * sampleRate);
  expect(sound.right.length).toBe(sound.left.length);
});

test("is the same every time", () => {
  expect(Buffer.compare(encodeWav(compose(clip)), encodeWav(compose(clip)))).toBe(0);
});

test("is as loud as players expect, on a phone too, and never clips, whatever happens in the clip", () => {
  for (const type of ["ace", "knife_kill", "nade_kill", "ninja_defuse", "no_scope", "taser_kill"] as const) {
    const sound = compose(reel.clipOf(type));
    const loudness = integratedLoudness(sound);
    expect(loudness, type).toBeGreaterThan(-17);
    expect(loudness, type).toBeLessThan(-15);
    expect(Math.abs(integratedLoudness(onPhone(sound)) - loudness), type).toBeLessThan(2);
    expect(truePeakOf(sound), type).toBeLessThan(ceiling * 1.01);
  }
});

test("has the body of every voice where a phone plays it", () => {
  for (const [name, voice] of [...allVoices(), ["ambience", ambience().left] as const]) {
    expect(bandEnergyShare(voice, 300, 3000), name).toBeGreaterThan(0.5);
    expect(bandEnergyShare(voice, 0, 250), name).toBeLessThan(0.25);
  }
  const sound = compose(clip);
  expect(bandEnergyShare(sound.left, 300, 3000)).toBeGreaterThan(0.6);
  expect(bandEnergyShare(sound.left, 0, 250)).toBeLessThan(0.2);
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
    // Loudness is levelled over the whole clip: a nearer shot by the listener keeps the level comparable.
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
  // What remains at the cut is ambience and the cut's own whoosh.
  expect(level(sound.left, at - 0.004, at)).toBeLessThan(0.5 * level(sound.left, shotAt, shotAt + 0.03));
});

test("is in step with the frames through slow motion and fast stretches: shots come within a frame", () => {
  const [segment] = clip.segments;
  const { player, startTick } = segment!;
  const track = structuredClone(reel.track);
  const { record } = track;
  for (const list of [record.kills, record.deaths, record.damages, record.grenades, record.bomb]) list.length = 0;
  // The first follows a wait that runs fast, the second precedes the slowed moment, and the others are in it.
  const decisive = startTick + 8 * record.tickRate;
  const ticks = [startTick + 6 * record.tickRate, decisive - 16, decisive + 6, decisive + 14];
  record.shots = ticks.map((tick) => ({ tick, player, weapon: "awp", yaw: 0 }));
  const captions = [{ ...segment!.captions[0]!, player, momentTicks: [decisive] }];
  const heard = { ...segment!, endTick: decisive + 2 * record.tickRate, captions };
  const timeMap = timeMapOf(heard, record);
  const { left } = composeSoundtrack(track, { ...clip, segments: [heard] }, timeMap.frameCount);
  const hop = sampleRate / 480;
  const rises = Array.from(
    { length: Math.floor(left.length / hop) - 1 },
    (_, i) => level(left, (i + 1) / 480, (i + 2) / 480) - level(left, i / 480, (i + 1) / 480),
  );
  for (const tick of ticks) {
    const frames = Array.from({ length: timeMap.frameCount }, (_, frame) => frame);
    const shown = frames.find((frame) => timeMap.tickAt(frame) >= tick)!;
    const near = rises.slice(Math.round((shown / 60 - 0.1) * 480), Math.round((shown / 60 + 0.1) * 480));
    const onset = shown / 60 - 0.1 + (near.indexOf(Math.max(...near)) + 1) / 480;
    expect(Math.abs(onset - shown / 60), `shot ${tick - decisive}`).toBeLessThanOrEqual(1 / 60);
  }
  const speeds = ticks.map((tick) => timeMap.speedAt(Math.floor(timeMap.secondsAt(tick) * 60)));
  expect(Math.min(...speeds)).toBeLessThan(0.5);
  expect(timeMap.secondsAt(ticks[0]!)).toBeLessThan(4);
});

test("has voices that begin and end in silence and stay within -1..1", () => {
  for (const [name, voice] of allVoices()) {
    expect(Math.abs(voice[0]!), name).toBeLessThan(0.25);
    expect(Math.abs(voice.at(-1)!), name).toBeLessThan(0.01);
    expect(
      voice.every((sample) => Math.abs(sample) <= 1),
      name,
    ).toBe(true);
  }
});

test("tells hits from kills: own hits on opponents tap once, kills sound the higher the more there were", () => {
  const [segment] = clip.segments;
  const { player, startTick } = segment!;
  const { record } = reel.track;
  const [kill] = record.kills.filter((one) => one.attacker === player && one.round === segment!.round);
  const hitTick = startTick + 2 * record.tickRate;
  const heardOf = (change: (track: typeof reel.track) => void) => {
    const track = structuredClone(reel.track);
    for (const list of [track.record.kills, track.record.shots, track.record.damages, track.record.grenades])
      list.length = 0;
    track.record.bomb.length = 0;
    change(track);
    const heard = { ...segment!, endTick: startTick + 4 * record.tickRate, captions: [] };
    const timeMap = timeMapOf(heard, track.record);
    const from = Math.round(timeMap.secondsAt(hitTick) * sampleRate);
    const { left } = composeSoundtrack(track, { ...clip, segments: [heard] }, timeMap.frameCount);
    return left.subarray(from, from + 0.2 * sampleRate);
  };
  const hit = {
    tick: hitTick,
    attacker: player,
    victim: kill!.victim,
    weapon: "ak47",
    health: 27,
    armor: 0,
    healthAfter: 73,
    hitGroup: "chest",
  };
  const silence = bandEnergyShare(
    heardOf(() => {}),
    1000,
    2400,
  );
  const tap = heardOf(({ record: { damages } }) => damages.push(hit));
  expect(silence).toBeLessThan(0.1);
  expect(bandEnergyShare(tap, 1000, 2400)).toBeGreaterThan(0.5);
  expect(heardOf(({ record: { damages } }) => damages.push(hit, { ...hit, hitGroup: "leg" }))).toEqual(tap);
  const unheard = [{ healthAfter: 0 }, { weapon: "inferno" }, { victim: player, attacker: kill!.victim }];
  for (const change of unheard) {
    const sound = heardOf(({ record: { damages } }) => damages.push({ ...hit, ...change }));
    expect(bandEnergyShare(sound, 1000, 2400)).toBeLessThan(0.3);
  }
  const killed = (earlier: number) =>
    heardOf(({ record: { kills } }) => {
      const others = Array.from({ length: earlier }, () => ({ ...kill!, headshot: false, tick: startTick }));
      kills.push(...others, { ...kill!, headshot: false, tick: hit.tick });
    });
  // C and G above; five semitones higher, for the third, E and B.
  expect(bandEnergyShare(killed(0), 500, 545)).toBeGreaterThan(0.2);
  expect(bandEnergyShare(killed(2), 500, 545)).toBeLessThan(0.05);
  expect(bandEnergyShare(killed(2), 640, 680)).toBeGreaterThan(0.2);
});

test("levels what is hardly there and holds even the wave between two samples", () => {
  // A quarter of the sample rate, sampled beside its crests: its samples stay 3 dB below the wave.
  const wave = Float32Array.from({ length: 2 * sampleRate }, (_, i) => 2 * Math.sin((Math.PI / 2) * (i + 0.5)));
  expect(truePeak(wave)).toBeCloseTo(2, 1);
  const loud = { left: wave, right: new Float32Array(wave.length) };
  const short = { left: wave.slice(0, 9000), right: wave.slice(0, 9000) };
  master(loud);
  master(short);
  expect(truePeakOf(loud)).toBeLessThan(ceiling * 1.01);
  expect(truePeakOf(short)).toBeLessThan(ceiling * 1.01);
  const silent = { left: new Float32Array(sampleRate), right: new Float32Array(sampleRate) };
  master(silent);
  expect(truePeakOf(silent)).toBe(0);
});

test("measures loudness as BS.1770 does: a full-scale sine of 997 Hz on one channel is -3.01 LUFS", () => {
  const sine = Float32Array.from({ length: 3 * sampleRate }, (_, i) => Math.sin((2 * Math.PI * 997 * i) / sampleRate));
  expect(integratedLoudness({ left: sine, right: new Float32Array(sine.length) })).toBeCloseTo(-3.01, 1);
  expect(integratedLoudness({ left: new Float32Array(9000), right: new Float32Array(9000) })).toBe(-Infinity);
});
