import { execFileSync } from "node:child_process";

/** A frame of a video as the encoder kept it: planar YUV 4:2:0, counted from 0. */
export function decodedFrame(path: string, index: number): Uint8Array {
  const chosen = ["-vf", `select=eq(n\\,${index})`, "-frames:v", "1"];
  const raw = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-"];
  return execFileSync("ffmpeg", ["-v", "error", "-i", path, ...chosen, ...raw], { maxBuffer: 64 * 1024 ** 2 });
}
