/** Repeats its parent's messages, or sends more than a pipe holds, and continues when the parent is gone. */
import { nextFromParent, onParentGone, sendToParent } from "../parent-channel.ts";

async function echo(): Promise<void> {
  for (;;) {
    const message = await nextFromParent<{ times: number }>();
    for (let time = 0; time < message.times; time++) void sendToParent(message);
  }
}

onParentGone(async () => {
  await sendToParent({ isLate: true });
  process.stdout.write("the parent is gone");
});
void echo();
