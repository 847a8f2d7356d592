/**
 * Undoes what a call has begun if nobody learns of it: the SDK sends no answer to a call that is cancelled before the
 * answer leaves.
 *
 * @param signal The call's. It aborts no more once the answer has left.
 */
export function undoUnheard(signal: AbortSignal, undo: () => void): void {
  if (signal.aborted) undo();
  else signal.addEventListener("abort", undo, { once: true });
}
