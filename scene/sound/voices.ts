import * as checkedReads from "../../replay/checked-reads.ts";

// Copied, because some module formats look up an import at every use, and these are in inner loops.
const { float32At } = checkedReads;
/**
 * The sounds of a clip, synthesised: no recordings of the game. Each voice is mono at `sampleRate`, peaks at 1 and is
 * the same on every machine (its noise comes from a seeded generator).
 */
export const sampleRate = 48_000;

export type Voice = Float32Array;

/** Noise in -1..1 that repeats with its seed (xorshift32). */
function seededNoise(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2_147_483_648 - 1;
  };
}

/** `seconds` of samples, computed from their times; ends in a fade of 5 ms so that it never clicks, and peaks at 1. */
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

type Filter = (sample: number) => number;

/** One-pole low pass. */
function lowPass(cutoffHertz: number): Filter {
  const share = 1 - Math.exp((-2 * Math.PI * cutoffHertz) / sampleRate);
  let held = 0;
  return (sample) => {
    held += share * (sample - held);
    return held;
  };
}

/** Two-pole high pass without resonance: what a phone's speaker does to everything. */
function highPass(cutoffHertz: number): Filter {
  const [first, second] = [lowPass(cutoffHertz), lowPass(cutoffHertz)];
  return (sample) => {
    const once = sample - first(sample);
    return once - second(once);
  };
}

/** Two-pole band pass, 1 at its centre (RBJ's audio EQ cookbook); `width` is the band's over its centre. */
function bandPass(centreHertz: number, width: number): Filter {
  const turn = (2 * Math.PI * centreHertz) / sampleRate;
  const alpha = (Math.sin(turn) * width) / 2;
  const gain = alpha / (1 + alpha);
  const back1 = (2 * Math.cos(turn)) / (1 + alpha);
  const back2 = (1 - alpha) / (1 + alpha);
  let in1 = 0;
  let in2 = 0;
  let out1 = 0;
  let out2 = 0;
  return (sample) => {
    const out = gain * (sample - in2) + back1 * out1 - back2 * out2;
    in2 = in1;
    in1 = sample;
    out2 = out1;
    out1 = out;
    return out;
  };
}

const sine = (hertz: number, time: number) => Math.sin(2 * Math.PI * hertz * time);

/** Sine whose pitch falls from `from` to `to` hertz at `rate` a second (exponentially). */
function fallingSine(from: number, to: number, rate: number, time: number): number {
  // The phase is the integral of the frequency.
  return Math.sin(2 * Math.PI * (to * time + ((from - to) / rate) * (1 - Math.exp(-rate * time))));
}

interface ShotCharacter {
  /** Relative to other weapons. */
  loudness: number;
  /** The snap above the body; then its decay per second. */
  crack: number;
  crackDecay: number;
  /** Centre of the body in hertz; then its width relative to that, and its decay per second. */
  bodyCentre: number;
  bodyWidth: number;
  bodyDecay: number;
  /** The thump below the body, for speakers that can play it. */
  thump: number;
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
    crack: 0.55,
    crackDecay: 110,
    bodyCentre: 1150,
    bodyWidth: 1.5,
    bodyDecay: 44,
    thump: 0.16,
    echo: 0.075,
    echoDecay: 13,
  },
  heavy_pistol: {
    loudness: 0.95,
    crack: 0.7,
    crackDecay: 80,
    bodyCentre: 820,
    bodyWidth: 1.4,
    bodyDecay: 26,
    thump: 0.22,
    echo: 0.15,
    echoDecay: 8.5,
  },
  smg: {
    loudness: 0.6,
    crack: 0.5,
    crackDecay: 120,
    bodyCentre: 1250,
    bodyWidth: 1.5,
    bodyDecay: 50,
    thump: 0.14,
    echo: 0.0675,
    echoDecay: 15,
  },
  rifle: {
    loudness: 0.8,
    crack: 0.65,
    crackDecay: 95,
    bodyCentre: 900,
    bodyWidth: 1.6,
    bodyDecay: 32,
    thump: 0.2,
    echo: 0.12,
    echoDecay: 9.5,
  },
  sniper: {
    loudness: 1.15,
    crack: 0.8,
    crackDecay: 60,
    bodyCentre: 640,
    bodyWidth: 1.7,
    bodyDecay: 14,
    thump: 0.28,
    echo: 0.24,
    echoDecay: 4.5,
  },
  shotgun: {
    loudness: 1.05,
    crack: 0.7,
    crackDecay: 70,
    bodyCentre: 580,
    bodyWidth: 1.8,
    bodyDecay: 20,
    thump: 0.2,
    echo: 0.18,
    echoDecay: 7,
  },
  machine_gun: {
    loudness: 0.8,
    crack: 0.6,
    crackDecay: 90,
    bodyCentre: 760,
    bodyWidth: 1.6,
    bodyDecay: 29,
    thump: 0.22,
    echo: 0.105,
    echoDecay: 10.5,
  },
  suppressed: {
    loudness: 0.34,
    crack: 0.18,
    crackDecay: 130,
    bodyCentre: 950,
    bodyWidth: 0.9,
    bodyDecay: 48,
    thump: 0.1,
    echo: 0.0375,
    echoDecay: 17,
  },
};

/** Voices of single weapons, where the class is too coarse; names as in kill events. */
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

/** Loudness of a weapon relative to others. */
export function shotLoudness(kind: ShotKind): number {
  return shotCharacters[kind].loudness;
}

/** All weapons that have a voice. */
export const shotKindNames = Object.keys(shotCharacters) as ShotKind[];

/** One of a few takes of a shot, so that a burst does not sound like a machine. */
export function shotVoice(kind: ShotKind, take: number): Voice {
  const character = shotCharacters[kind];
  const noise = seededNoise(1000 + take * 77 + kind.length * 13);
  const centre = character.bodyCentre * (1 + (take - 1) * 0.05);
  const snap = highPass(1400);
  const soft = lowPass(7000);
  const band = bandPass(centre, character.bodyWidth);
  const echoBand = bandPass(centre * 0.75, 1.4);
  const seconds = Math.min(1.1, 5 / character.echoDecay);
  return voice(seconds, (time) => {
    const grain = noise();
    const crack = snap(soft(grain)) * Math.exp(-character.crackDecay * time) * character.crack;
    const knock =
      fallingSine(centre * 1.1, centre * 0.45, 40, time) * Math.exp(-character.bodyDecay * 1.6 * time) * 0.5;
    const body = (band(grain) * 2.2 + knock) * Math.exp(-character.bodyDecay * time);
    const thump = fallingSine(190, 75, 26, time) * Math.exp(-character.bodyDecay * 0.9 * time) * character.thump;
    const echo =
      echoBand(grain) * Math.exp(-character.echoDecay * time) * character.echo * Math.min(1, time / 0.02) * 3;
    // Driven hard: a dense shot is as loud as a peaky one at half the peak.
    return Math.tanh(((crack + body + thump) * Math.min(1, time / 0.0008) + echo) * 3);
  });
}

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
