const units = ["bytes", "KB", "MB", "GB", "TB", "PB"] as const;

/** "0 bytes", "812 KB", "3.4 GB": decimal units, as disks are sold. */
export function bytesText(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${units[unit]}`;
}
