interface Field {
  tagName: string;
  /** Of an input. */
  type?: string;
}

/** Inputs that do nothing with letters. */
const withoutLetters = ["range", "checkbox", "radio", "button", "submit"];

/** Whether a control does something of its own with letters and signs: they are typed into it, or choose in it. */
export function takesLetters({ tagName, type = "text" }: Field): boolean {
  return tagName === "SELECT" || tagName === "TEXTAREA" || (tagName === "INPUT" && !withoutLetters.includes(type));
}
