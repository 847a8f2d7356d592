/** Starts the worker of `floor_worker.ts` with next to no permissions, as the binary starts its own. */
const permissions = { read: false, write: false, net: ["127.0.0.1:9"], env: false, run: false, sys: false, ffi: false };
const worker = new Worker(new URL("./worker.js", import.meta.url), {
  type: "module",
  deno: { permissions: { ...permissions, import: false } },
});
worker.onmessage = ({ data }: MessageEvent<number>) => Deno.exit(data);
