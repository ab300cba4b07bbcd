import { execFileSync, spawn } from "node:child_process";

/** A decoded frame of a video, counted from 0: planar YUV 4:2:0. */
export function decodedFrame(path: string, index: number): Uint8Array {
  const chosen = ["-vf", `select=eq(n\\,${index})`, "-frames:v", "1"];
  const raw = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-"];
  return execFileSync("ffmpeg", ["-v", "error", "-i", path, ...chosen, ...raw], { maxBuffer: 64 * 1024 ** 2 });
}

/**
 * Several frames of a video, like `decodedFrame`, in one pass.
 * @returns by index
 */
export async function decodedFrames(
  path: string,
  indexes: number[],
  { width, height }: { width: number; height: number },
): Promise<Map<number, Uint8Array>> {
  const wanted = [...new Set(indexes)].sort((a, b) => a - b);
  const chosen = ["-vf", `select=${wanted.map((index) => `eq(n\\,${index})`).join("+")}`, "-fps_mode", "passthrough"];
  const raw = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-"];
  const ffmpeg = spawn("ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", ...chosen, ...raw]);
  const chunks: Buffer[] = [];
  for await (const chunk of ffmpeg.stdout) chunks.push(chunk as Buffer);
  const all = Buffer.concat(chunks);
  const bytes = (width * height * 3) / 2;
  if (all.length !== wanted.length * bytes) throw new Error(`${path} has not all of the frames ${wanted.join(", ")}.`);
  return new Map(wanted.map((index, place) => [index, all.subarray(place * bytes, (place + 1) * bytes)]));
}
