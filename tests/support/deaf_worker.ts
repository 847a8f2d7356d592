/** A worker that never answers, not even to "stop". */
(globalThis as unknown as { onmessage: () => void }).onmessage = () => {};
