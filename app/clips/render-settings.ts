/** The settings of a new clip that a player chooses, with their defaults (specification, section 4). */
export const renderOptions = [
  { name: "xray", label: "X-Ray", hint: "Show opponents behind walls", isOn: true },
  { name: "hud", label: "HUD", hint: "Health, weapon and round bar", isOn: true },
  { name: "radar", label: "Radar", hint: "The whole map in a corner", isOn: true },
  { name: "killfeed", label: "Killfeed", hint: "Who killed whom, with what", isOn: true },
  { name: "highlight_info", label: "Show Captions", hint: "Name each highlight", isOn: true },
] as const;

export type RenderOption = (typeof renderOptions)[number]["name"];

/** The options that are ticked in a form. */
export function renderOptionsFromForm(form: { has(name: string): boolean }): Record<RenderOption, boolean> {
  return Object.fromEntries(renderOptions.map(({ name }) => [name, form.has(name)])) as Record<RenderOption, boolean>;
}
