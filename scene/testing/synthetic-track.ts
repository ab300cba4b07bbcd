import { createCanvas, Path2D } from "@napi-rs/canvas";
import type { ClipRenderSettings, ClipSegment, ClipSpec } from "../../replay/clip-spec.ts";
import type { MatchRecord, RecordedKill } from "../../replay/match-record.ts";
import {
  type Footprints,
  HeldGrenade,
  type PlayerSamples,
  type ReplayTrack,
  SampleFlag,
  type TrackWindow,
} from "../../replay/replay-track.ts";
import type { SceneOptions } from "../clip-scene.ts";
import type { SpriteKit } from "../display-list.ts";

/** A position and heading at a tick. */
export type Pose = { x: number; y: number; z?: number; yaw?: number };

export interface SyntheticPlayer {
  name: string;
  team: 0 | 1;
  /** Where they are at a tick; a constant stands still. */
  pose: Pose | ((tick: number) => Pose);
}

export const tickRate = 64;
export const freezeEndTick = 1000;
export const roundEndTick = 1000 + 40 * tickRate;

/** People walked everywhere in a rectangle, at the height that `height` gives; null is a place nobody can walk. */
export function walkedArea(
  west: number,
  south: number,
  east: number,
  north: number,
  height: (x: number, y: number) => number | null = () => 0,
): Footprints {
  const xyz: number[] = [];
  const breaks: number[] = [];
  for (let y = south; y <= north; y += 16) {
    let isWalking = false;
    for (let x = west; x <= east; x += 16) {
      const z = height(x, y);
      if (z === null) {
        isWalking = false;
        continue;
      }
      if (!isWalking) breaks.push(xyz.length / 3);
      isWalking = true;
      xyz.push(x, y, z);
    }
  }
  return { xyz: Int16Array.from(xyz), breaks: Uint32Array.from(breaks) };
}

/** Two areas walked on one above the other. */
export function joined(...areas: Footprints[]): Footprints {
  const breaks: number[] = [];
  let offset = 0;
  for (const area of areas) {
    for (const start of area.breaks) breaks.push(start + offset);
    offset += area.xyz.length / 3;
  }
  return { xyz: Int16Array.from(areas.flatMap((area) => [...area.xyz])), breaks: Uint32Array.from(breaks) };
}

/** One round on `footprints`, all players known from freeze end to round end; team 0 plays CT. */
export function syntheticTrack(
  players: SyntheticPlayer[],
  footprints: Footprints,
  changes: Partial<MatchRecord> = {},
): ReplayTrack {
  const tickStep = 2;
  const sampleCount = (roundEndTick - freezeEndTick) / tickStep + 1;
  const samplesOf = ({ pose }: SyntheticPlayer): PlayerSamples => {
    const at = (i: number) => (typeof pose === "function" ? pose(freezeEndTick + i * tickStep) : pose);
    const values = (of: (pose: Pose) => number) => Float32Array.from({ length: sampleCount }, (_, i) => of(at(i)));
    return {
      x: values((p) => p.x),
      y: values((p) => p.y),
      z: values((p) => p.z ?? 0),
      yaw: values((p) => p.yaw ?? 0),
      pitch: new Float32Array(sampleCount),
      health: new Uint8Array(sampleCount).fill(100),
      armor: new Uint8Array(sampleCount).fill(100),
      flags: new Uint8Array(sampleCount).fill(SampleFlag.present | SampleFlag.alive),
      weapon: new Uint8Array(sampleCount),
      ammoClip: new Uint8Array(sampleCount).fill(30),
      ammoReserve: new Uint16Array(sampleCount).fill(90),
      money: new Uint16Array(sampleCount).fill(4300),
      grenades: new Uint8Array(sampleCount).fill(HeldGrenade.smoke | HeldGrenade.flash | HeldGrenade.fire),
      weaponNames: ["ak47"],
    };
  };
  const window: TrackWindow = {
    startTick: freezeEndTick,
    endTick: roundEndTick,
    tickStep,
    sampleCount,
    players: players.map(samplesOf),
  };
  const record: MatchRecord = {
    version: 1,
    map: "de_test",
    rawMap: "de_test",
    tickRate,
    firstTick: 0,
    lastTick: roundEndTick,
    gameMode: "Matchmaking_Competitive",
    serverName: "",
    teams: [
      { name: "", score: 1, firstSide: "CT" },
      { name: "", score: 0, firstSide: "T" },
    ],
    players: players.map(({ name, team }) => ({ steamId: null, name, team, isBot: false })),
    rounds: [
      {
        number: 1,
        startTick: freezeEndTick - 500,
        freezeEndTick,
        endTick: roundEndTick,
        officialEndTick: roundEndTick,
        finished: true,
        winner: 0,
        reason: "t_eliminated_ct",
        sides: ["CT", "T"],
        scoreBefore: [3, 4],
        overtime: 0,
        aliveAtFreezeEnd: [0, 1].map((team) => players.flatMap((p, i) => (p.team === team ? [i] : []))) as [
          number[],
          number[],
        ],
      },
    ],
    kills: [],
    deaths: [],
    shots: [],
    damages: [],
    blinds: [],
    bomb: [],
    grenades: [],
    ...changes,
  };
  return { record, sampleRate: 32, windows: [window], footprints };
}

export function killAt(
  tick: number,
  attacker: number,
  victim: number,
  changes: Partial<RecordedKill> = {},
): RecordedKill {
  return {
    tick,
    round: 1,
    attacker,
    victim,
    assister: null,
    attackerSide: "CT",
    victimSide: "T",
    weapon: "ak47",
    headshot: false,
    penetrated: 0,
    noScope: false,
    throughSmoke: false,
    attackerInAir: false,
    attackerBlind: false,
    flashAssist: false,
    distance: 10,
    attackerControlsBot: false,
    victimPosition: null,
    attackerPosition: null,
    ...changes,
  };
}

export const everySetting: ClipRenderSettings = {
  xray: true,
  hud: true,
  radar: true,
  killfeed: true,
  highlightInfo: true,
  watermark: true,
};

export function segmentOf(seconds: number, changes: Partial<ClipSegment> = {}): ClipSegment {
  const startTick = changes.startTick ?? freezeEndTick + 64;
  const endTick = startTick + seconds * tickRate;
  return {
    round: 1,
    startTick,
    endTick,
    player: 0,
    captions: [{ startTick, endTick, label: "1v3 Clutch", reason: "3 kills in 6.2 s", player: 0, momentTicks: [] }],
    ...changes,
  };
}

export function specOf(segments: ClipSegment[], settings: Partial<ClipRenderSettings> = {}): ClipSpec {
  return {
    version: 1,
    segments,
    settings: { ...everySetting, ...settings },
    title: "A clip",
    width: 1280,
    height: 720,
    framesPerSecond: 60,
  };
}

const ruler = createCanvas(8, 8).getContext("2d");

export const canvasKit: SpriteKit = {
  path: (svg) => new Path2D(svg) as unknown as globalThis.Path2D,
  emoji: () => null,
  avatar: () => null,
};

export const sceneOptions: SceneOptions = {
  width: 1280,
  height: 720,
  measureText(text, font) {
    ruler.font = font;
    return { width: ruler.measureText(text).width };
  },
  createCanvas: (width, height) => createCanvas(width, height) as unknown as ReturnType<SceneOptions["createCanvas"]>,
  kit: canvasKit,
};
