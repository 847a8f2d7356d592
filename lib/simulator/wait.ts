/** Longest wait a timer takes, in milliseconds; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** Waits `ms` milliseconds; says whether the time ran out (true) or `signal` ended the wait (false). */
export function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve(true);
    }, Math.min(ms, MAX_TIMER_MS));
    signal.addEventListener("abort", stop, { once: true });
  });
}
