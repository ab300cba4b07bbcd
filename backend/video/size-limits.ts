import type { ClipFormat } from "../../contract/clip-formats.ts";

interface SizeLimit {
  /** Of the picture per second: the encoder lowers the quality rather than exceed it. About three times what clips need. */
  videoKilobits: number;
  /** Of the whole file, enforced by the system. The longest clip (`limits.clipSeconds`) stays a seventh below it. */
  fileBytes: number;
}

export const sizeLimits: Record<ClipFormat, SizeLimit> = {
  "720p": { videoKilobits: 6000, fileBytes: 1024 ** 3 },
  "1080p": { videoKilobits: 12_000, fileBytes: 2 * 1024 ** 3 },
  vertical: { videoKilobits: 12_000, fileBytes: 2 * 1024 ** 3 },
};
