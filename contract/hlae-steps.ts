/** One line for the game's console, with the words around it. */
export interface HlaeStep {
  before: string;
  command: string;
  after: string;
}

interface HlaeRecording {
  /** What the demo in `game/csgo` is called, without its ending. */
  demoStem: string;
  /** Path of our file of commands. */
  commandsFile: string;
  /** Path of the folder in which the videos are to be. */
  recordingFolder: string;
  /** A demo tick. */
  firstTick: number;
}

/** What is typed into the console of a game that was started through HLAE, in this order. */
export function hlaeSteps({ demoStem, commandsFile, recordingFolder, firstTick }: HlaeRecording): HlaeStep[] {
  return [
    { before: "Start CS2 through HLAE and type into its console:", command: `playdemo "${demoStem}"`, after: "" },
    { before: "Say where the recording goes:", command: `mirv_streams record name "${recordingFolder}"`, after: "" },
    {
      before: "Then",
      command: `mirv_cmd load "${commandsFile}"`,
      after: "It takes the place of commands loaded before.",
    },
    {
      before: "Then",
      command: `demo_gototick ${firstTick}`,
      after: "and let it play. It pauses after the last part.",
    },
  ];
}
