import { limits } from "../../contract/limits.ts";

/** Text and state of the button that makes a clip (specification, section 4). */
export function createButton(state: { active: number; inQueue: number; sending: boolean }): {
  text: string;
  disabled: boolean;
} {
  const { highlightsPerClip, clipsInQueuePerUser } = limits;
  if (state.sending) return { text: "Creating...", disabled: true };
  if (state.active === 0) return { text: "Create Clip (0 active)", disabled: true };
  if (state.inQueue >= clipsInQueuePerUser) {
    return { text: `Queue limit reached (${state.inQueue}/${clipsInQueuePerUser})`, disabled: true };
  }
  if (state.active > highlightsPerClip) {
    return { text: `Too many highlights (${state.active}/${highlightsPerClip} max)`, disabled: true };
  }
  return { text: `Create Clip (${state.active} active)`, disabled: false };
}
