import * as checkedReads from "../../replay/checked-reads.ts";
import {
  bandPass,
  fallingSine,
  highPass,
  lowPass,
  sampleRate,
  seededNoise,
  sine,
  type Voice,
  voice,
} from "./synthesis.ts";

// Copied, because some module formats look up an import at every use, and these are in inner loops.
const { float32At } = checkedReads;

/** Semitones of a major pentatonic scale, in which any two notes go together. */
const killSteps = [0, 2, 4, 7, 9];

/**
 * The followed player's kill: two notes of a wooden bar, a fifth apart. Each further kill of the round is a step higher.
 * @param earlierKills theirs in this round
 */
export function killVoice(earlierKills: number): Voice {
  const step = killSteps[Math.min(earlierKills, killSteps.length - 1)] ?? 0;
  const root = 523.25 * 2 ** (step / 12);
  return voice(0.75, (time) => {
    const second = Math.max(0, time - 0.085);
    const low = fallingSine(140, 70, 14, time) * Math.exp(-16 * time) * 0.35;
    return (low + struckBar(root, time) * 0.8 + struckBar(root * 1.5, second)) * Math.min(1, time / 0.003);
  });
}

/** A tuned wooden bar, as of a marimba: its first overtone is two octaves above. */
function struckBar(hertz: number, time: number): number {
  return (
    sine(hertz, time) * Math.exp(-7 * time) +
    sine(2 * hertz, time) * 0.22 * Math.exp(-11 * time) +
    sine(4 * hertz, time) * 0.16 * Math.exp(-34 * time)
  );
}

export const voices = {
  /** Somebody else's kill. */
  distantKill: () =>
    voice(0.3, (time) => fallingSine(560, 330, 22, time) * Math.exp(-15 * time) * Math.min(1, time / 0.004)),

  /** The followed player hits an opponent who lives: a dry tap. */
  hit: () => {
    const noise = seededNoise(29);
    const band = bandPass(2100, 0.6);
    return voice(0.11, (time) => {
      const tap = fallingSine(1500, 1150, 60, time) * Math.exp(-48 * time);
      return (tap + band(noise()) * Math.exp(-110 * time) * 0.9) * Math.min(1, time / 0.001);
    });
  },

  /** A small bell: partials of a struck bar, soft. */
  headshot: () =>
    voice(0.5, (time) => {
      const bar =
        sine(1568, time) * Math.exp(-9 * time) +
        sine(2637, time) * 0.3 * Math.exp(-14 * time) +
        sine(4321, time) * 0.15 * Math.exp(-26 * time);
      return bar * Math.min(1, time / 0.002);
    }),

  /** The followed player is hit or dies. */
  thud: () => {
    const noise = seededNoise(31);
    const band = bandPass(520, 1.2);
    return voice(0.35, (time) => {
      const body = fallingSine(520, 300, 20, time) * Math.exp(-15 * time);
      const low = fallingSine(120, 60, 18, time) * Math.exp(-16 * time) * 0.35;
      const slap = band(noise()) * Math.exp(-24 * time) * 1.6;
      return Math.tanh((body * 0.7 + low + slap) * 2 * Math.min(1, time / 0.002));
    });
  },

  knife: () => {
    const noise = seededNoise(41);
    const band = bandPass(1900, 1);
    return voice(0.24, (time) => band(noise()) * Math.sin(Math.PI * Math.min(1, time / 0.2)) ** 2);
  },

  zeus: () => {
    const noise = seededNoise(43);
    const mids = highPass(420);
    const soft = lowPass(3500);
    return voice(0.45, (time) => {
      const buzz = Math.sign(sine(96, time)) * 0.35 + sine(960, time) * 0.25 + noise() * 0.15;
      const stutter = 0.6 + 0.4 * Math.sign(sine(38, time));
      return Math.tanh(mids(soft(buzz)) * 6) * Math.exp(-7 * time) * stutter * Math.min(1, time / 0.003);
    });
  },

  explosion: () => {
    const noise = seededNoise(51);
    const blastBand = bandPass(640, 1.8);
    const tailBand = bandPass(430, 1.3);
    return voice(1.6, (time) => {
      const grain = noise();
      const blast = blastBand(grain) * Math.exp(-9 * time) * 3.4;
      const tail = tailBand(grain) * Math.exp(-3 * time) * 1.3;
      const low = fallingSine(120, 45, 8, time) * Math.exp(-6 * time) * 0.4;
      return Math.tanh((blast + tail + low) * Math.min(1, time / 0.002));
    });
  },

  bombExplosion: () => {
    const noise = seededNoise(53);
    const blastBand = bandPass(560, 1.8);
    const tailBand = bandPass(400, 1.3);
    return voice(3.4, (time) => {
      const grain = noise();
      const blast = blastBand(grain) * Math.exp(-3.4 * time) * 3.6;
      const tail = tailBand(grain) * Math.exp(-1.3 * time) * 1.8;
      const low = fallingSine(95, 36, 3.5, time) * Math.exp(-2.6 * time) * 0.35;
      return Math.tanh((blast + tail + low) * Math.min(1, time / 0.004));
    });
  },

  flash: () => {
    const noise = seededNoise(61);
    const band = bandPass(1700, 1.6);
    return voice(0.5, (time) => band(noise()) * Math.exp(-18 * time) * Math.min(1, time / 0.001));
  },

  /** What a blinded player hears; very soft. */
  ringing: () =>
    voice(
      2.2,
      (time) => (sine(2350, time) + 0.5 * sine(2363, time)) * 0.5 * Math.exp(-1.7 * time) * Math.min(1, time / 0.05),
    ),

  smoke: () => {
    const noise = seededNoise(71);
    const band = bandPass(900, 1.5);
    return voice(1.5, (time) => {
      const puff = Math.min(1, time / 0.05) * Math.exp(-2.8 * time);
      return band(noise()) * puff + fallingSine(420, 300, 14, time) * Math.exp(-18 * time) * 0.2;
    });
  },

  /** Glass and a rush of flame. */
  ignite: () => {
    const noise = seededNoise(81);
    const band = bandPass(750, 1.6);
    return voice(1.1, (time) => {
      const grain = noise();
      const glass = (sine(2793, time) + sine(4186, time)) * 0.12 * Math.exp(-26 * time);
      return band(grain) * Math.min(1, time / 0.12) * Math.exp(-3.2 * time) + glass;
    });
  },

  /** Two seconds of fire that can be looped. */
  fire: () => {
    const noise = seededNoise(83);
    const band = bandPass(620, 1.4);
    const spark = bandPass(2200, 1);
    let crackle = 0;
    return voice(2, (time) => {
      const grain = noise();
      if (noise() > 0.9993) crackle = 0.7;
      crackle *= 0.994;
      const ends = Math.min(1, time / 0.2, (2 - time) / 0.2);
      return (band(grain) * 0.6 + spark(noise() * crackle) * 0.6) * ends;
    });
  },

  beep: () =>
    voice(
      0.11,
      (time) => (sine(1660, time) + 0.2 * sine(3320, time)) * Math.sin(Math.PI * Math.min(1, time / 0.1)) * 0.8,
    ),

  /** The bomb's last second: it no longer beeps, and soon explodes. */
  bombTrip: () =>
    voice(0.95, (time) => {
      const flutter = 0.65 + 0.35 * sine(17, time);
      return fallingSine(1245, 2490, 0.7, time) * flutter * Math.min(1, time / 0.01) * Math.exp(-1.4 * time);
    }),

  planted: () =>
    voice(0.5, (time) => (time < 0.16 ? sine(880, time) : sine(660, time)) * Math.exp(-5 * (time % 0.16)) * 0.6),

  defused: () =>
    voice(1.1, (time) => {
      const first = sine(784, time) * Math.exp(-5 * time);
      const later = Math.max(0, time - 0.14);
      const second = time > 0.14 ? sine(1174.7, later) * Math.exp(-3.6 * later) : 0;
      return (first + second) * 0.5 * Math.min(1, time / 0.004);
    }),

  /** Air at a cut from one segment to the next. */
  cut: () => {
    const noise = seededNoise(91);
    const low = lowPass(1900);
    const lower = lowPass(260);
    return voice(0.5, (time) => {
      const grain = noise();
      return (low(grain) - lower(grain)) * Math.sin((Math.PI * time) / 0.5) ** 3;
    });
  },
} satisfies Record<string, () => Voice>;

export type VoiceName = keyof typeof voices;

/** Length of the ambience, which loops seamlessly. */
const ambienceSeconds = 8;

/** A quiet, swelling chord, left and right. Its length is a whole number of periods of all its frequencies. */
export function ambience(): { left: Float32Array; right: Float32Array } {
  const length = ambienceSeconds * sampleRate;
  const left = new Float32Array(length);
  const right = new Float32Array(length);
  // A minor: hertz rounded to eighths; how strong, how fast each swells (eighths of a hertz), and where it stands.
  const tones = [
    { hertz: 110, strength: 0.3, swells: 1, side: 0 },
    { hertz: 220, strength: 0.45, swells: 3, side: 0.4 },
    { hertz: 329.625, strength: 0.6, swells: 2, side: -0.5 },
    { hertz: 440, strength: 0.4, swells: 1, side: -0.3 },
    { hertz: 523.25, strength: 0.22, swells: 2, side: 0.6 },
  ];
  for (const [index, { hertz, strength, swells, side }] of tones.entries()) {
    for (let sample = 0; sample < length; sample++) {
      const time = sample / sampleRate;
      const swell = 0.62 + 0.38 * sine(swells / ambienceSeconds, time + index * 1.3);
      const tone = sine(hertz, time) * strength * swell;
      left[sample] = float32At(left, sample) + tone * (1 - side);
      right[sample] = float32At(right, sample) + tone * (1 + side);
    }
  }
  return { left, right };
}
