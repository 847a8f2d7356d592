/**
 * A bot that reports numbered events at a steady rate, in a process of its own so that it takes no turn of whoever
 * measures. Arguments: events a second, seconds. It says where it listens, begins with the first line of input, says what
 * it has sent, and ends with its input.
 */
import { createServer } from "node:http";
import { TextLineStream } from "@std/streams";
import { type WebSocket, WebSocketServer } from "ws";
import { SELF } from "../unit/events/support.ts";

/** What it says at the end. */
export interface SentFigures {
  /** Events, each with its number from 1 on in `seq`. */
  readonly sent: number;
  /** From the first to the last, in milliseconds. */
  readonly ms: number;
  /** Most that waited for the server to read, in bytes, beside what the system holds. */
  readonly mostQueued: number;
}

/** Length of one event, in bytes. */
const EVENT_BYTES = 500;
/** Between two batches, in milliseconds. */
const BATCH_MS = 2;

/** Sends the events, as many at a time as are due. */
async function report(peer: WebSocket, rate: number, seconds: number): Promise<SentFigures> {
  const start = performance.now();
  let sent = 0;
  let mostQueued = 0;
  while (sent < rate * seconds) {
    const due = Math.min(rate * seconds, Math.floor((performance.now() - start) / 1000 * rate));
    while (sent < due) peer.send(numbered(++sent));
    mostQueued = Math.max(mostQueued, peer.bufferedAmount);
    await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
  }
  return { sent, ms: performance.now() - start, mostQueued };
}

function numbered(seq: number): string {
  const of = (text: string): string =>
    JSON.stringify({
      time: 1_700_000_000,
      self_id: SELF,
      post_type: "message",
      message_type: "group",
      group_id: 20001,
      user_id: 30001,
      seq,
      message: [{ type: "text", data: { text } }],
    });
  return of("x".repeat(EVENT_BYTES - of("").length));
}

async function say(what: unknown): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(what)}\n`));
}

if (import.meta.main) {
  const [rate = NaN, seconds = NaN] = Deno.args.map(Number);
  const http = createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  http.on("upgrade", (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (peer) => {
      peer.on("error", () => {}); // a server that is killed
      peer.send(JSON.stringify({ time: 1, self_id: SELF, post_type: "meta_event", meta_event_type: "lifecycle" }));
    }));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  await say({ url: `ws://127.0.0.1:${(http.address() as { port: number }).port}/` });
  for await (const _ of Deno.stdin.readable.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream())) {
    for (const peer of sockets.clients) await say(await report(peer, rate, seconds));
  }
  for (const peer of sockets.clients) peer.terminate();
  http.close();
}
