/**
 * Remembers, in the frame's name, the draft that was sent from it. The name is all that a page without storage keeps when
 * a client loads its frame anew, and the new page must not send the same once more.
 */
/// <reference lib="dom" />
import type { Draft } from "./draft.ts";

/** Whether this draft was sent from this frame before. */
export function wasSent(draft: Draft): boolean {
  return self.name === mark(draft);
}

/** To be called before the draft leaves. */
export function markSent(draft: Draft): void {
  self.name = mark(draft);
}

function mark({ sends }: Draft): string {
  return `sent ${JSON.stringify(sends)}`;
}
