import { execFileSync } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

export interface VideoFacts {
  codec: string;
  profile: string;
  pixelFormat: string;
  width: number;
  height: number;
  framesPerSecond: number;
  frames: number;
  durationSeconds: number;
  audioCodec: string | null;
}

/** Facts about a video from ffprobe, after decoding all of it. @throws when it cannot be read */
export function probeVideo(path: string): VideoFacts {
  const report = JSON.parse(
    execFileSync("ffprobe", ["-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", path], {
      encoding: "utf8",
    }),
  );
  const video = report.streams.find((stream: { codec_type: string }) => stream.codec_type === "video");
  const audio = report.streams.find((stream: { codec_type: string }) => stream.codec_type === "audio");
  const [frames, seconds] = video.avg_frame_rate.split("/").map(Number);
  return {
    codec: video.codec_name,
    profile: video.profile,
    pixelFormat: video.pix_fmt,
    width: video.width,
    height: video.height,
    framesPerSecond: frames / seconds,
    frames: Number(video.nb_read_frames),
    durationSeconds: Number(report.format.duration),
    audioCodec: audio?.codec_name ?? null,
  };
}

/** Names of the top-level boxes of an mp4 in file order; a player can start early when moov comes before mdat. */
export function mp4Boxes(path: string): string[] {
  const file = openSync(path, "r");
  const { size } = fstatSync(file);
  const names: string[] = [];
  const head = Buffer.alloc(16);
  for (let at = 0; at + 8 <= size; ) {
    readSync(file, head, 0, 16, at);
    const short = head.readUInt32BE(0);
    names.push(head.toString("latin1", 4, 8));
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? size - at : short;
    if (length < 8) break;
    at += length;
  }
  closeSync(file);
  return names;
}
