/** The same from a worker; see `floor_worker_main.ts`. */
import "./floor.ts";

(globalThis as unknown as { postMessage(exitCode: number): void }).postMessage(0);
