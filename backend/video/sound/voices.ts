import * as checkedReads from "../../../replay/checked-reads.ts";

// Copied, because some module formats look imports up again at every use: these are in innermost loops.
const { float32At } = checkedReads;
/**
 * The sounds of a clip, synthesised: no recordings of the game. Each voice is mono at `sampleRate`, peaks at 1 and is
 * the same on every machine (its noise comes from a seeded generator).
 */
export const sampleRate = 48_000;

export type Voice = Float32Array;

/** Noise in -1..1 that repeats with its seed (xorshift32). */
export function seededNoise(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2_147_483_648 - 1;
  };
}

/** Samples of `seconds`, each from its time; ends in a fade of 5 ms so that it never clicks, and peaks at 1. */
function voice(seconds: number, sampleAt: (time: number) => number): Voice {
  const samples = new Float32Array(Math.round(seconds * sampleRate));
  const fade = Math.min(samples.length, 0.005 * sampleRate);
  let peak = 0;
  for (let index = 0; index < samples.length; index++) {
    samples[index] = sampleAt(index / sampleRate) * Math.min(1, (samples.length - index) / fade);
    peak = Math.max(peak, Math.abs(float32At(samples, index)));
  }
  return samples.map((sample) => sample / peak);
}

/** One-pole low pass. */
function lowPass(cutoffHertz: number): (sample: number) => number {
  const share = 1 - Math.exp((-2 * Math.PI * cutoffHertz) / sampleRate);
  let held = 0;
  return (sample) => {
    held += share * (sample - held);
    return held;
  };
}

const sine = (hertz: number, time: number) => Math.sin(2 * Math.PI * hertz * time);

/** Sine whose pitch falls from `from` to `to` hertz at `rate` a second (exponentially). */
function fallingSine(from: number, to: number, rate: number, time: number): number {
  // The phase is the integral of the frequency.
  return Math.sin(2 * Math.PI * (to * time + ((from - to) / rate) * (1 - Math.exp(-rate * time))));
}

interface ShotCharacter {
  /** Beside the other weapons. */
  loudness: number;
  /** Where the crack is dulled, hertz. */
  cutoff: number;
  crack: number;
  /** Decay of the crack, a second. */
  crackDecay: number;
  body: number;
  /** Pitch of the body at its start, hertz. */
  bodyPitch: number;
  bodyDecay: number;
  /** Loudness and decay of the echo. */
  echo: number;
  echoDecay: number;
}

export type ShotKind =
  | "pistol"
  | "heavy_pistol"
  | "smg"
  | "rifle"
  | "sniper"
  | "shotgun"
  | "machine_gun"
  | "suppressed";

const shotCharacters: Record<ShotKind, ShotCharacter> = {
  pistol: {
    loudness: 0.62,
    cutoff: 3200,
    crack: 0.62,
    crackDecay: 46,
    body: 0.5,
    bodyPitch: 230,
    bodyDecay: 42,
    echo: 0.05,
    echoDecay: 14,
  },
  heavy_pistol: {
    loudness: 0.95,
    cutoff: 2900,
    crack: 0.78,
    crackDecay: 30,
    body: 0.75,
    bodyPitch: 190,
    bodyDecay: 26,
    echo: 0.09,
    echoDecay: 9,
  },
  smg: {
    loudness: 0.6,
    cutoff: 2700,
    crack: 0.5,
    crackDecay: 52,
    body: 0.45,
    bodyPitch: 210,
    bodyDecay: 46,
    echo: 0.04,
    echoDecay: 16,
  },
  rifle: {
    loudness: 0.8,
    cutoff: 2600,
    crack: 0.68,
    crackDecay: 34,
    body: 0.7,
    bodyPitch: 170,
    bodyDecay: 32,
    echo: 0.07,
    echoDecay: 10,
  },
  sniper: {
    loudness: 1.15,
    cutoff: 2400,
    crack: 0.85,
    crackDecay: 17,
    body: 0.95,
    bodyPitch: 140,
    bodyDecay: 13,
    echo: 0.16,
    echoDecay: 4.5,
  },
  shotgun: {
    loudness: 1.05,
    cutoff: 2000,
    crack: 0.9,
    crackDecay: 22,
    body: 0.85,
    bodyPitch: 130,
    bodyDecay: 19,
    echo: 0.12,
    echoDecay: 7,
  },
  machine_gun: {
    loudness: 0.8,
    cutoff: 2300,
    crack: 0.62,
    crackDecay: 36,
    body: 0.75,
    bodyPitch: 150,
    bodyDecay: 30,
    echo: 0.06,
    echoDecay: 11,
  },
  suppressed: {
    loudness: 0.34,
    cutoff: 1500,
    crack: 0.42,
    crackDecay: 60,
    body: 0.3,
    bodyPitch: 150,
    bodyDecay: 50,
    echo: 0.02,
    echoDecay: 18,
  },
};

/** Weapons' own voices where the class says too little; names as in kill events. */
const shotKinds: Record<string, ShotKind> = {
  deagle: "heavy_pistol",
  revolver: "heavy_pistol",
  usp_silencer: "suppressed",
  m4a1_silencer: "suppressed",
  mp5sd: "suppressed",
};

/** The voice of a weapon that fires bullets; null for all others. `category` is that of contract/weapons. */
export function shotKind(weapon: string, category: string): ShotKind | null {
  const own = shotKinds[weapon];
  if (own) return own;
  return category in shotCharacters ? (category as ShotKind) : null;
}

/** How loud a weapon is beside the others. */
export function shotLoudness(kind: ShotKind): number {
  return shotCharacters[kind].loudness;
}

/** One of a few takes of a shot, so that a burst does not sound like a machine. */
export function shotVoice(kind: ShotKind, take: number): Voice {
  const character = shotCharacters[kind];
  const noise = seededNoise(1000 + take * 77 + kind.length * 13);
  const dull = lowPass(character.cutoff);
  const echoDull = lowPass(character.cutoff * 0.35);
  const detune = 1 + (take - 1) * 0.035;
  const seconds = Math.min(1.1, 5 / character.echoDecay);
  return voice(seconds, (time) => {
    const grain = noise();
    const crack = dull(grain) * Math.exp(-character.crackDecay * time) * character.crack * 1.7;
    const pitch = character.bodyPitch * detune;
    const body = fallingSine(pitch, 52, 26, time) * Math.exp(-character.bodyDecay * time) * character.body;
    const rise = Math.min(1, time / 0.02);
    const echo = echoDull(grain) * Math.exp(-character.echoDecay * time) * character.echo * rise * 3;
    return Math.tanh((crack + body) * Math.min(1, time / 0.0006) + echo);
  });
}

export const voices = {
  /** The followed player's kill: felt more than heard. */
  kill: () =>
    voice(0.8, (time) => fallingSine(96, 40, 9, time) * Math.exp(-5.2 * time) * Math.min(1, time / 0.004) * 0.95),

  /** Somebody else's kill. */
  distantKill: () =>
    voice(0.4, (time) => fallingSine(120, 60, 12, time) * Math.exp(-11 * time) * Math.min(1, time / 0.004)),

  /** A small bell: partials of a struck bar, soft. */
  headshot: () =>
    voice(0.5, (time) => {
      const bar =
        sine(1568, time) * Math.exp(-9 * time) +
        sine(4321, time) * 0.35 * Math.exp(-16 * time) +
        sine(8470, time) * 0.1 * Math.exp(-30 * time);
      return bar * 0.55 * Math.min(1, time / 0.002);
    }),

  /** The followed player is hit or dies. */
  thud: () => {
    const noise = seededNoise(31);
    const dull = lowPass(420);
    return voice(0.35, (time) => {
      const body = fallingSine(110, 48, 18, time) * Math.exp(-12 * time);
      return (body * 0.8 + dull(noise()) * Math.exp(-22 * time) * 1.4) * Math.min(1, time / 0.002);
    });
  },

  knife: () => {
    const noise = seededNoise(41);
    const low = lowPass(5200);
    const lower = lowPass(1300);
    return voice(0.24, (time) => {
      const grain = noise();
      const band = low(grain) - lower(grain);
      return band * Math.sin(Math.PI * Math.min(1, time / 0.2)) ** 2 * 1.1;
    });
  },

  zeus: () => {
    const noise = seededNoise(43);
    return voice(0.45, (time) => {
      const buzz = Math.sign(sine(96, time)) * 0.25 + sine(960, time) * 0.2 + noise() * 0.18;
      return buzz * Math.exp(-7 * time) * (0.6 + 0.4 * Math.sign(sine(38, time))) * Math.min(1, time / 0.003);
    });
  },

  explosion: () => {
    const noise = seededNoise(51);
    const dull = lowPass(900);
    const rumble = lowPass(160);
    return voice(1.6, (time) => {
      const grain = noise();
      const blast = dull(grain) * Math.exp(-9 * time) * 2.4;
      const tail = rumble(grain) * Math.exp(-2.6 * time) * 4;
      const body = fallingSine(120, 34, 8, time) * Math.exp(-4.5 * time);
      return Math.tanh((blast + tail + body) * Math.min(1, time / 0.002)) * 0.95;
    });
  },

  bombExplosion: () => {
    const noise = seededNoise(53);
    const dull = lowPass(600);
    const rumble = lowPass(110);
    return voice(3.4, (time) => {
      const grain = noise();
      const blast = dull(grain) * Math.exp(-3.4 * time) * 2.6;
      const tail = rumble(grain) * Math.exp(-1.2 * time) * 6;
      const body = fallingSine(90, 28, 3.5, time) * Math.exp(-1.9 * time);
      return Math.tanh((blast + tail + body) * Math.min(1, time / 0.004));
    });
  },

  flash: () => {
    const noise = seededNoise(61);
    const low = lowPass(6500);
    const lower = lowPass(700);
    return voice(0.5, (time) => {
      const grain = noise();
      return (low(grain) - lower(grain)) * Math.exp(-20 * time) * 1.2 * Math.min(1, time / 0.001);
    });
  },

  /** What a blinded player hears; very soft. */
  ringing: () =>
    voice(
      2.2,
      (time) => (sine(2350, time) + 0.5 * sine(2363, time)) * 0.5 * Math.exp(-1.7 * time) * Math.min(1, time / 0.05),
    ),

  smoke: () => {
    const noise = seededNoise(71);
    const dull = lowPass(1500);
    const duller = lowPass(1500);
    return voice(1.5, (time) => {
      const puff = Math.min(1, time / 0.05) * Math.exp(-2.8 * time);
      return duller(dull(noise())) * puff * 2.2 + fallingSine(170, 70, 14, time) * Math.exp(-18 * time) * 0.35;
    });
  },

  /** Glass and a rush of flame. */
  ignite: () => {
    const noise = seededNoise(81);
    const dull = lowPass(1100);
    return voice(1.1, (time) => {
      const grain = noise();
      const glass = (sine(3520, time) + sine(5213, time)) * 0.1 * Math.exp(-26 * time);
      return dull(grain) * Math.min(1, time / 0.12) * Math.exp(-3.2 * time) * 1.8 + glass;
    });
  },

  /** Two seconds of fire that can follow themselves. */
  fire: () => {
    const noise = seededNoise(83);
    const dull = lowPass(520);
    let crackle = 0;
    return voice(2, (time) => {
      const grain = noise();
      if (noise() > 0.9993) crackle = 0.7;
      crackle *= 0.994;
      const ends = Math.min(1, time / 0.2, (2 - time) / 0.2);
      return (dull(grain) * 1.1 + noise() * crackle * 0.35) * ends;
    });
  },

  beep: () =>
    voice(
      0.11,
      (time) => (sine(1660, time) + 0.2 * sine(3320, time)) * Math.sin(Math.PI * Math.min(1, time / 0.1)) * 0.8,
    ),

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

/** Length of the ambience, which follows itself without a seam. */
export const ambienceSeconds = 8;

/** A quiet chord that breathes, as left and right. All its frequencies fit a whole number of times into its length. */
export function ambience(): { left: Float32Array; right: Float32Array } {
  const length = ambienceSeconds * sampleRate;
  const left = new Float32Array(length);
  const right = new Float32Array(length);
  // A, E, A, C: hertz rounded to eighths; how strong, how fast each swells (eighths of a hertz), and where it stands.
  const tones = [
    { hertz: 55, strength: 1, swells: 1, side: 0 },
    { hertz: 82.375, strength: 0.62, swells: 2, side: -0.5 },
    { hertz: 110, strength: 0.4, swells: 3, side: 0.4 },
    { hertz: 130.75, strength: 0.26, swells: 1, side: -0.3 },
    { hertz: 164.875, strength: 0.18, swells: 2, side: 0.6 },
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
