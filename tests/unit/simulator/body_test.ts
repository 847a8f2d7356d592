/** A request that is never sent to its end holds its place for a limited time only. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { BODY_DEADLINE_MS, BodyReader } from "../../../lib/simulator/body.ts";
import { FaultScript } from "../../../lib/simulator/faults.ts";
import { MAX_CONCURRENT_REQUESTS } from "../../../lib/simulator/mod.ts";
import { Recorder } from "../../../lib/simulator/recorder.ts";
import { seedWorld } from "../../../lib/simulator/seed.ts";
import { HttpServer } from "../../../lib/simulator/server.ts";

const HEAD = "POST /get_status HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n";

Deno.test("half-sent requests are cut at the deadline, and their places are free again", async () => {
  strictEqual(BODY_DEADLINE_MS, 30_000);
  const deadlineMs = 1_000;
  const recorder = new Recorder();
  const parts = { world: seedWorld(Date.now), faults: new FaultScript(), recorder };
  const server = new HttpServer({ prefix: "", token: "" }, parts, new BodyReader(deadlineMs));
  const port = await server.listen(0);
  const ping = async (): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}/`);
    await response.body?.cancel();
    return response.status;
  };
  try {
    const start = performance.now();
    const halves = await Promise.all(Array.from({ length: MAX_CONCURRENT_REQUESTS }, async () => {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port });
      await connection.write(new TextEncoder().encode(`${HEAD}{`));
      return connection;
    }));
    // One that sends a little now and then gets no more time than the others.
    const drip = setInterval(() => void halves[0]?.write(new Uint8Array([0x20])).catch(() => {}), 100);
    const ends = await Promise.all(halves.map(async (connection) => {
      const end = await connection.read(new Uint8Array(1)).catch(() => null);
      connection.close();
      return end;
    }));
    clearInterval(drip);
    deepStrictEqual(ends.filter((end) => end !== null), []);
    const took = performance.now() - start;
    ok(took >= deadlineMs && took < 10 * deadlineMs, `${took} ms`);
    strictEqual(recorder.requests.length, MAX_CONCURRENT_REQUESTS);
    strictEqual(await ping(), 200);
  } finally {
    await server.close();
  }
});
