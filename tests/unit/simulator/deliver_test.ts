/** Frames are made at the pace of the client, and no more of them once it has left. */
import { ok } from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import { deliver } from "../../../lib/simulator/deliver.ts";
import { okFrame } from "../../../lib/simulator/envelope.ts";
import { verifies } from "../../requirements.ts";

/** Text of one frame, in characters. */
const TEXT = "x".repeat(65_536);

/** More frames than the buffers of both ends and of the system hold (a few MiB). */
const MANY = 2_000;

/** Resolves when `read()` has been the same for half a second. */
async function settled(read: () => number): Promise<number> {
  let last = read();
  for (let same = 0; same < 10;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    same = read() === last ? same + 1 : 0;
    last = read();
  }
  return last;
}

Deno.test("deliver() makes frames as they are read, and stops when the client leaves", async () => {
  verifies("simulator-streams", "transfer-memory");
  let made = 0;
  const ended = Promise.withResolvers<void>();
  function* frames(): Generator<ReturnType<typeof okFrame>> {
    try {
      while (made < MANY) {
        made += 1;
        yield okFrame(TEXT, {});
      }
    } finally {
      ended.resolve();
    }
  }
  const delivered = Promise.withResolvers<void>();
  const server = createServer((_request, response: ServerResponse) => {
    const controller = new AbortController();
    response.once("close", () => controller.abort());
    const answer = { kind: "frames", frames: frames() } as const;
    deliver({ response, signal: controller.signal }, undefined, () => answer).then(delivered.resolve, delivered.reject);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  try {
    const client = await Deno.connect({ hostname: "127.0.0.1", port });
    await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nhost: a\r\n\r\n"));
    const unread = await settled(() => made);
    ok(unread > 0 && unread < MANY / 4, `${unread} frames were made for nobody`);
    // Reading makes room for more.
    const buffer = new Uint8Array(65_536);
    for (let left = 100 * TEXT.length; left > 0;) left -= await client.read(buffer) ?? left;
    const read = await settled(() => made);
    ok(read >= 99 && read < unread + MANY / 4, `${read} frames were made for 100 read ones`);
    client.close();
    await Promise.all([ended.promise, delivered.promise]);
    ok(made < read + MANY / 4, `${made} frames were made, ${read} before the client left`);
  } finally {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
});
