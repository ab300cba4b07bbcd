/** A length to be read out, to the nearest second as `lengthText` writes it: "7 seconds", "4 minutes 30 seconds". */
export function lengthInWords(seconds: number): string {
  const whole = Math.round(seconds);
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  const inMinutes = minutes > 0 ? [counted(minutes, "minute")] : [];
  return [...inMinutes, ...(rest > 0 || minutes === 0 ? [counted(rest, "second")] : [])].join(" ");
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;
