import { Ffmpeg, quietly, rawVideoInput } from "./run-ffmpeg.ts";

interface PosterOptions {
  ffmpegPath: string;
  /** Width of the frame. */
  width: number;
  height: number;
  /** Width of the picture in pixels; its height follows. */
  pictureWidth: number;
  outputPath: string;
  patienceMs?: number;
}

/**
 * Writes one raw frame as a JPEG.
 * @throws RenderError with ffmpeg's own words.
 */
export async function writePoster(
  frame: Uint8Array,
  { ffmpegPath, width, height, pictureWidth, outputPath, patienceMs }: PosterOptions,
): Promise<void> {
  const scaled = `scale=${pictureWidth}:-2:in_color_matrix=bt709:in_range=tv:out_color_matrix=bt601:out_range=pc`;
  const ffmpeg = new Ffmpeg(
    ffmpegPath,
    [
      ...[...quietly, "-y"],
      ...rawVideoInput("pipe:0", width, height, 1),
      // JPEG is full range and BT.601 by definition. Quality 7 is a third smaller than 3, without a visible difference on a phone.
      ...["-vf", `${scaled},format=yuvj420p`],
      ...[
        "-frames:v",
        "1",
        "-c:v",
        "mjpeg",
        "-q:v",
        "7",
        "-huffman",
        "optimal",
        "-flags:v",
        "+bitexact",
        "-f",
        "image2",
        outputPath,
      ],
    ],
    "frames",
    patienceMs,
  );
  ffmpeg.process.stdin?.end(frame);
  await ffmpeg.exitInTime();
}
