import { bandPass, fallingSine, highPass, lowPass, seededNoise, type Voice, voice } from "./synthesis.ts";

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
