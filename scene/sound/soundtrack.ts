import { weaponByEventName } from "../../contract/weapons.ts";
import { bombBeepSeconds, bombTripSeconds } from "../../replay/bomb-beeps.ts";
import * as checkedReads from "../../replay/checked-reads.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import type { PlayerIndex } from "../../replay/match-record.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";
import { planClipTime } from "../clip-time.ts";
import { SegmentTimeline } from "../segment-timeline.ts";
import type { TimeMap } from "../time-map.ts";
import { master, type StereoSound } from "./master.ts";
import { shotKind, shotLoudness, shotVoice } from "./shot-voices.ts";
import { sampleRate, type Voice } from "./synthesis.ts";
import { ambience, killVoice, type VoiceName, voices } from "./voices.ts";

// Copied, because some module formats look up an import at every use, and these are in inner loops.
const { float32At } = checkedReads;

/** World units at which a sound has half its loudness. */
const halfLoudness = 700;
/** World units beyond which nothing is heard. */
const farthest = 4200;
/** World units to the side at which a sound is panned fully to that side. */
const fullSide = 1500;
/** Sounds still playing at a cut fade out over this time. */
const cutFadeSeconds = 0.06;
/** Sounds of the last segment continue under the end card for this long. */
const lastRingSeconds = 0.4;
const ambienceGain = 0.02;
const shotTakes = 3;
/** A burning sound and the next one overlap by their fades. */
const fireLapSeconds = 1.8;

/**
 * The sound of a clip: shots, kills, grenades, bomb and a quiet ambience, placed as on the map (north up, the followed
 * player in the middle) and fading with distance. A function of the clip alone.
 * @param frameCount the video's; the sound is exactly as long.
 */
export function composeSoundtrack(track: ReplayTrack, spec: ClipSpec, frameCount: number): StereoSound {
  const length = Math.round((frameCount / spec.framesPerSecond) * sampleRate);
  const mix: StereoSound = { left: new Float32Array(length), right: new Float32Array(length) };
  const { segments, playedFrames, endCardFrames } = planClipTime(track.record, spec);
  const lastRing = Math.min(endCardFrames, Math.round(lastRingSeconds * spec.framesPerSecond));
  const sampleAt = (frame: number) => Math.min(length, Math.round((frame / spec.framesPerSecond) * sampleRate));
  for (const [index, { segment, timeMap, firstFrame }] of segments.entries()) {
    const end = firstFrame + timeMap.frameCount;
    const next = segments[index + 1];
    // While the old picture dissolves into the next, its sounds fade out.
    const ringing = next ? next.dissolveFrames : lastRing;
    const timeline = new SegmentTimeline(track, segment);
    const stage = new SegmentSound(
      mix,
      timeline,
      timeMap,
      sampleAt(firstFrame),
      sampleAt(end),
      sampleAt(end + ringing),
    );
    stage.play();
    stage.fadeEnd();
    if (next) stage.layCut();
  }
  layAmbience(mix, sampleAt(playedFrames));
  master(mix);
  return mix;
}

/** Voices are synthesised once per process. */
const synthesised = new Map<string, Voice>();

function synthesise(key: string, make: () => Voice): Voice {
  let voice = synthesised.get(key);
  if (!voice) {
    voice = make();
    synthesised.set(key, voice);
  }
  return voice;
}

const voiceNamed = (name: VoiceName) => synthesise(name, voices[name]);

type Place = readonly [number, number, number] | null;

/** Lays the sounds of one segment into its stretch of the mix. */
class SegmentSound {
  readonly #mix: StereoSound;
  readonly #timeline: SegmentTimeline;
  readonly #timeMap: TimeMap;
  /** Samples of the mix, ends exclusive: nothing begins after the cut, nothing is heard after the end. */
  readonly #start: number;
  readonly #cut: number;
  readonly #end: number;

  constructor(mix: StereoSound, timeline: SegmentTimeline, timeMap: TimeMap, start: number, cut: number, end: number) {
    this.#mix = mix;
    this.#timeline = timeline;
    this.#timeMap = timeMap;
    this.#start = start;
    this.#cut = cut;
    this.#end = end;
  }

  play(): void {
    this.#playShots();
    this.#playKills();
    this.#playHits();
    this.#playGrenades();
    this.#playBlinds();
    this.#playBomb();
  }

  /** The cut to the next segment. */
  fadeEnd(): void {
    const shortest = Math.min(this.#end - this.#start, Math.round(cutFadeSeconds * sampleRate));
    const fade = Math.max(this.#end - this.#cut, shortest);
    const { left, right } = this.#mix;
    for (let index = 0; index < fade; index++) {
      const gain = index / fade;
      const at = this.#end - 1 - index;
      left[at] = float32At(left, at) * gain;
      right[at] = float32At(right, at) * gain;
    }
  }

  layCut(): void {
    const voice = voiceNamed("cut");
    this.#add(voice, this.#cut - voice.length / 2, 0.08, 0, this.#mix.left.length);
  }

  #playShots(): void {
    for (const [index, shot] of this.#timeline.shots.entries()) {
      const category = weaponByEventName(shot.weapon)?.category;
      const own = shot.player === this.#timeline.segment.player;
      const kind = category ? shotKind(shot.weapon, category) : null;
      if (kind) {
        // The take depends on the shot, not on what was played before: a segment sounds the same alone and in a clip.
        const take = (shot.tick * 7 + index) % shotTakes;
        const voice = synthesise(`shot ${kind} ${take}`, () => shotVoice(kind, take));
        this.#at(shot.tick, voice, shotLoudness(kind) * (own ? 0.36 : 0.32), this.#placeOf(shot.player, shot.tick));
      } else if (category === "knife") {
        this.#at(shot.tick, voiceNamed("knife"), own ? 0.22 : 0.14, this.#placeOf(shot.player, shot.tick));
      } else if (category === "zeus") {
        this.#at(shot.tick, voiceNamed("zeus"), 0.3, this.#placeOf(shot.player, shot.tick));
      }
    }
  }

  #playKills(): void {
    const { segment, kills } = this.#timeline;
    let ownKills = 0;
    for (const kill of kills) {
      const own = kill.attacker === segment.player && !this.#timeline.isTeammate(kill.victim, segment.player);
      const place = kill.victimPosition;
      if (own) {
        const earlier = ownKills++;
        this.#at(
          kill.tick,
          synthesise(`kill ${earlier}`, () => killVoice(earlier)),
          0.27,
          null,
        );
      } else if (kill.victim === segment.player) this.#at(kill.tick, voiceNamed("thud"), 0.36, null);
      else this.#at(kill.tick, voiceNamed("distantKill"), 0.2, place);
      if (kill.headshot) this.#at(kill.tick, voiceNamed("headshot"), own ? 0.12 : 0.05, own ? null : place);
    }
  }

  #playHits(): void {
    const { segment, damages } = this.#timeline;
    /** One hit can cause several damage events, by pellets or through walls. */
    const heard = new Set<string>();
    for (const damage of damages) {
      // A hit that kills has the kill's own voice.
      if (damage.health <= 0 || damage.healthAfter <= 0) continue;
      if (damage.victim === segment.player) {
        this.#at(damage.tick, voiceNamed("thud"), 0.1 + 0.16 * Math.min(1, damage.health / 100), null);
        continue;
      }
      const isOwnHit = damage.attacker === segment.player && !this.#timeline.isTeammate(damage.victim, segment.player);
      const key = `${damage.tick} ${damage.victim}`;
      // Fire does damage several times a second and would rattle.
      if (!isOwnHit || heard.has(key) || weaponByEventName(damage.weapon)?.category === "fire") continue;
      heard.add(key);
      this.#at(damage.tick, voiceNamed("hit"), 0.3, null);
    }
  }

  #playGrenades(): void {
    for (const grenade of this.#timeline.grenades) {
      const last = grenade.path.at(-1);
      const place: Place = last ? [last[1], last[2], last[3]] : null;
      const { detonateTick, kind } = grenade;
      if (kind === "he") this.#at(detonateTick, voiceNamed("explosion"), 0.42, place);
      if (kind === "flash") this.#at(detonateTick, voiceNamed("flash"), 0.34, place);
      if (kind === "smoke") this.#at(detonateTick, voiceNamed("smoke"), 0.16, place);
      if (kind === "molotov" || kind === "incendiary") {
        this.#at(detonateTick, voiceNamed("ignite"), 0.2, place);
        this.#playFire(detonateTick, grenade.expireTick, place);
      }
    }
  }

  /** One burning sound after the other, each as long as it lasts in the video whatever the speed of play. */
  #playFire(fromTick: number, untilTick: number, place: Place): void {
    const fire = voiceNamed("fire");
    const until = this.#timeMap.secondsAt(Math.min(untilTick, this.#timeline.segment.endTick));
    for (let from = Math.max(0, this.#timeMap.secondsAt(fromTick)); from < until; from += fireLapSeconds)
      this.#at(this.#timeMap.tickAt(Math.floor(from * this.#timeMap.framesPerSecond)), fire, 0.09, place);
  }

  #playBlinds(): void {
    for (const blind of this.#timeline.blinds) {
      if (blind.victim !== this.#timeline.segment.player || blind.seconds < 1) continue;
      this.#at(blind.tick, voiceNamed("ringing"), 0.05 * Math.min(1, blind.seconds / 3), null);
    }
  }

  #playBomb(): void {
    const { bomb, tickRate } = this.#timeline;
    const planted = bomb.find((event) => event.kind === "planted");
    if (!planted) return;
    const ended = bomb.find((event) => event.tick > planted.tick && /exploded|defused/.test(event.kind));
    const place: Place = planted.position;
    this.#at(planted.tick, voiceNamed("planted"), 0.12, place);
    const until = ended?.tick ?? Number.POSITIVE_INFINITY;
    const play = (seconds: number, name: VoiceName, gain: number) => {
      const tick = planted.tick + seconds * tickRate;
      if (tick < until) this.#at(tick, voiceNamed(name), gain, place);
    };
    for (const seconds of bombBeepSeconds) play(seconds, "beep", 0.14);
    play(bombTripSeconds, "bombTrip", 0.1);
    if (ended?.kind === "exploded") this.#at(ended.tick, voiceNamed("bombExplosion"), 0.5, place);
    if (ended?.kind === "defused") this.#at(ended.tick, voiceNamed("defused"), 0.22, null);
  }

  #placeOf(player: PlayerIndex, tick: number): Place {
    if (player === this.#timeline.segment.player) return null;
    const state = this.#timeline.state(player, tick);
    return state && [state.x, state.y, state.z];
  }

  /** Plays a voice at a tick of this segment; without a place it is in the middle and near. */
  #at(tick: number, voice: Voice, gain: number, place: Place): void {
    const { segment } = this.#timeline;
    if (tick < segment.startTick || tick >= segment.endTick) return;
    const at = this.#start + Math.round(this.#timeMap.secondsAt(tick) * sampleRate);
    const listener = place && this.#timeline.state(segment.player, tick);
    if (!place || !listener) {
      this.#add(voice, at, gain, 0, this.#end);
      return;
    }
    const east = place[0] - listener.x;
    const distance = Math.hypot(east, place[1] - listener.y, place[2] - listener.z);
    if (distance > farthest) return;
    const near = (1 / (1 + (distance / halfLoudness) ** 1.4)) * (1 - (distance / farthest) ** 4);
    const side = Math.max(-0.85, Math.min(0.85, east / fullSide));
    const far = Math.min(0.9, distance / 2200);
    this.#add(voice, at, gain * near * (1 - far), side, this.#end);
    if (far > 0.05) this.#add(muffled(voice), at, gain * near * far * 1.5, side, this.#end);
  }

  /** Equal power panning; `side` -1 (left) .. 1 (right). */
  #add(voice: Voice, at: number, gain: number, side: number, end: number): void {
    const angle = ((side + 1) * Math.PI) / 4;
    const leftGain = gain * Math.cos(angle) * Math.SQRT2;
    const rightGain = gain * Math.sin(angle) * Math.SQRT2;
    const { left, right } = this.#mix;
    const first = Math.round(at);
    const stop = Math.min(voice.length, end - first);
    for (let index = Math.max(0, -first); index < stop; index++) {
      const sample = float32At(voice, index);
      const heard = first + index;
      left[heard] = float32At(left, heard) + sample * leftGain;
      right[heard] = float32At(right, heard) + sample * rightGain;
    }
  }
}

const muffledVoices = new WeakMap<Voice, Voice>();

/** A voice as heard from afar: without its highs, but with what a phone can play. */
function muffled(voice: Voice): Voice {
  let dull = muffledVoices.get(voice);
  if (!dull) {
    dull = new Float32Array(voice.length);
    const share = 1 - Math.exp((-2 * Math.PI * 1300) / sampleRate);
    let held = 0;
    for (let index = 0; index < voice.length; index++) {
      held += share * (float32At(voice, index) - held);
      dull[index] = held;
    }
    muffledVoices.set(voice, dull);
  }
  return dull;
}

let ambienceLoop: StereoSound | undefined;

/** Adds the ambience: it runs through the cuts, fades in at the start and out before the end card, at `end` samples. */
function layAmbience(mix: StereoSound, end: number): void {
  ambienceLoop ??= ambience();
  const loop = ambienceLoop;
  const { left, right } = mix;
  const fade = 0.8 * sampleRate;
  for (let index = 0; index < end; index++) {
    const gain = ambienceGain * Math.min(1, index / fade, (end - index) / fade);
    left[index] = float32At(left, index) + float32At(loop.left, index % loop.left.length) * gain;
    right[index] = float32At(right, index) + float32At(loop.right, index % loop.right.length) * gain;
  }
}
