import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { MAX_FRAME_BYTES, MAX_SILENCE_MS, PING_INTERVAL_MS } from "../../../lib/events/socket.ts";
import type { EventEnd } from "../../../lib/events/socket_end.ts";
import { verifies } from "../../requirements.ts";
import {
  acceptance,
  ByteBot,
  drain,
  Ear,
  event,
  EventBot,
  FloodBot,
  frames,
  open,
  tidyTest,
  until,
  writeAll,
} from "./support.ts";

/** A bot that accepts the handshake and then sends bytes. */
function sending(...frames: Uint8Array[]): ByteBot {
  return new ByteBot(async (conn, head) => {
    await conn.write(new TextEncoder().encode(await acceptance(head)));
    for (const frame of frames) await writeAll(conn, frame);
    await drain(conn);
  });
}

/** How a connection ends on which a bot sends these bytes. */
async function endAfter(...frames: Uint8Array[]): Promise<EventEnd> {
  await using bot = sending(...frames);
  const ear = new Ear();
  await open(bot.url, ear);
  const end = await ear.ended;
  strictEqual(ear.ends.length, 1);
  return end;
}

tidyTest("openEventSocket() hands on whole texts in order, and sends nothing", async () => {
  verifies("events-no-business", "events-no-reconnect");
  await using bot = await EventBot.start(() => {});
  const ear = new Ear();
  const socket = await open(bot.url, ear);
  const texts = Array.from({ length: 100 }, (_, at) => `text ${at} \u{1f600}`);
  for (const text of texts) await bot.send(text);
  await until(() => ear.texts.length === 100);
  deepStrictEqual(ear.texts, texts);
  socket.close();
  deepStrictEqual(bot.received, []);
});

tidyTest("openEventSocket() takes a message of 262,144 bytes and none of 262,145", async () => {
  verifies("events-frames");
  strictEqual(MAX_FRAME_BYTES, 262_144);
  await using bot = await EventBot.start(() => {});
  const ear = new Ear();
  await open(bot.url, ear);
  await bot.send("x".repeat(262_144));
  await until(() => ear.texts.length === 1);
  strictEqual(ear.texts[0]?.length, 262_144);
  const left = bot.left();
  await bot.send("x".repeat(262_145));
  const { status, kind, message } = await ear.ended;
  deepStrictEqual([status, kind], ["failed", "too_large"]);
  ok(message.includes("262144"), message);
  strictEqual(await left, 1009);
  strictEqual(ear.texts.length, 1);
});

tidyTest("openEventSocket() refuses by the announced length, and when pieces come to more", async () => {
  verifies("events-frames");
  const announced = Uint8Array.of(0x81, 127, 0, 0, 0, 0, 0x40, 0, 0, 0); // 1 GiB, of which nothing is sent
  strictEqual((await endAfter(announced)).kind, "too_large");
  const beyond = Uint8Array.of(0x81, 127, 0x7f, 0, 0, 0, 0, 0, 0, 0); // more than a number holds
  strictEqual((await endAfter(beyond)).kind, "too_large");
  const piece = new Uint8Array(4 + 65_535).fill(120);
  piece.set([0x00, 126, 0xff, 0xff]); // goes on
  const first = piece.slice();
  first[0] = 0x01; // text, not the last piece
  strictEqual((await endAfter(first, piece, piece, piece, piece)).kind, "too_large");
});

tidyTest("openEventSocket() ends with a binary message, and with what breaks the protocol", async () => {
  verifies("events-malformed");
  await using bot = await EventBot.start(() => {});
  const ear = new Ear();
  await open(bot.url, ear);
  const left = bot.left();
  await bot.send(new Uint8Array(3));
  const { status, kind } = await ear.ended;
  deepStrictEqual([status, kind, ear.texts.length], ["failed", "invalid_event", 0]);
  strictEqual(await left, 1003);
  const broken = {
    "masked by a server": [0x81, 0x81, 1, 2, 3, 4, 5],
    "no UTF-8": [0x81, 2, 0xc3, 0x28],
    "a reserved bit": [0xc1, 1, 65],
    "an unknown opcode": [0x83, 0],
    "a piece of nothing": [0x80, 1, 65],
    "a close code that none may send": [0x88, 2, 0x03, 0xed], // 1005
    "a close of one byte": [0x88, 1, 3],
    "a ping that is too long": [0x89, 126, 0, 126],
  };
  for (const [what, bytes] of Object.entries(broken)) {
    const end = await endAfter(Uint8Array.from(bytes));
    deepStrictEqual([end.status, end.kind], ["failed", "invalid_event"], what);
    ok(end.message.includes("WS_ERR_"), end.message);
  }
});

/** Takes as long for a text as an event takes, and notes how many came each time before others had a turn. */
class BusyEar extends Ear {
  readonly turns: number[] = [];
  #before = 0;

  /** @param work How often a text is taken for an event. */
  constructor(readonly work = 5) {
    super();
  }

  override onText(text: string): void {
    if (this.texts.length === this.#before) {
      setTimeout(() => {
        this.turns.push(this.texts.length - this.#before);
        this.#before = this.texts.length;
      }, 0);
    }
    super.onText(text);
    for (let n = 0; n < this.work; n++) JSON.parse(event());
  }
}

tidyTest("openEventSocket() lets others have their turn during a flood, which comes whole and in order", async () => {
  verifies("events-no-business", "shutdown");
  const texts = Array.from({ length: 100_000 }, (_, at) => String(at));
  await using bot = sending(frames(...texts)); // 0.7 MB, which the system holds ready
  const ear = new BusyEar();
  const socket = await open(bot.url, ear);
  await until(() => ear.texts.length >= texts.length);
  deepStrictEqual(ear.texts, texts);
  ok(Math.max(...ear.turns) < 50_000, ear.turns.join(" ")); // some 10,000 come with one read
  socket.close();
});

tidyTest("openEventSocket() lets others see what has come for them during a flood that never ends", async () => {
  verifies("events-no-business", "shutdown");
  await using bot = await FloodBot.start();
  const ear = new BusyEar(40); // slower than the bot, so that there is always more
  const socket = await open(bot.url, ear);
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  using one = await Deno.connect({ hostname: "127.0.0.1", port: (listener.addr as Deno.NetAddr).port });
  using other = await listener.accept();
  await bot.begin();
  await until(() => ear.turns.length > 10);
  const waited: number[] = []; // in turns, which no other load of the machine changes
  for (let echo = 0; echo < 20 && !waited.some((turns) => turns >= 30); echo++) {
    const before = ear.turns.length;
    await one.write(Uint8Array.of(echo));
    await other.read(new Uint8Array(1));
    waited.push(ear.turns.length - before);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  ok(Math.max(...waited) < 30, waited.join(" ")); // an event loop without rest looks each 61 turns
  socket.close();
});

tidyTest("openEventSocket() keeps its end amid a flood: nothing comes after close(), and a leave is seen", async () => {
  verifies("events-release", "events-disconnect");
  const texts = Array.from({ length: 100_000 }, (_, at) => String(at));
  await using flood = sending(frames(...texts));
  const ear = new BusyEar();
  const socket = await open(flood.url, ear);
  await until(() => ear.texts.length > 0);
  const heard = ear.texts.length;
  socket.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  deepStrictEqual([ear.texts.length, ear.ends.length], [heard, 0]);

  await using leaving = sending(frames(...texts), Uint8Array.of(0x88, 2, 0x03, 0xe8));
  const other = new BusyEar();
  await open(leaving.url, other);
  const { status, code } = await other.ended;
  deepStrictEqual([status, code, other.texts.length], ["closed", 1000, texts.length]);
});

tidyTest("openEventSocket() tells by the close code whether the bot took its leave", async () => {
  verifies("events-disconnect", "events-auth", "events-path");
  const table: Array<[code: number | undefined, reason: string, status: string, kind: string]> = [
    [undefined, "", "closed", "cut"], // told as 1005
    [1000, "", "closed", "cut"],
    [1001, "going away", "closed", "cut"],
    [1012, "service restart", "closed", "cut"],
    [1008, "invalid access token", "failed", "auth"],
    [1008, "access token changed", "failed", "auth"],
    [1008, "", "failed", "auth"],
    [1008, "invalid path", "failed", "connect"],
    [1002, "", "failed", "cut"],
    [1003, "", "failed", "cut"],
    [1007, "", "failed", "cut"],
    [1009, "", "failed", "cut"],
    [1011, "defect", "failed", "cut"],
    [1013, "later", "failed", "cut"],
    [3000, "own", "failed", "cut"],
    [4999, "own", "failed", "cut"],
  ];
  await using bot = await EventBot.start(() => {});
  for (const [code, reason, status, kind] of table) {
    const ear = new Ear();
    await open(bot.url, ear);
    bot.peer.close(code, reason);
    const end = await ear.ended;
    deepStrictEqual([end.status, end.kind, end.code], [status, kind, code ?? 1005], reason);
    ok(end.message.includes(String(code ?? 1005)) && end.message.includes(reason), end.message);
    if (kind === "auth") ok(end.nextStep.includes("SNOWLUMA_MCP_EVENTS_TOKEN"), end.nextStep);
    if (kind === "connect") ok(end.nextStep.includes("usually /"), end.nextStep);
    strictEqual(ear.ends.length, 1);
  }
});

tidyTest("openEventSocket() tells a connection that breaks off from one that is closed", async () => {
  verifies("events-disconnect");
  await using bot = await EventBot.start(() => {});
  const ear = new Ear();
  await open(bot.url, ear);
  bot.peer.terminate();
  const { status, kind } = await ear.ended;
  deepStrictEqual([status, kind], ["failed", "cut"]);
});

tidyTest("openEventSocket() shows a close reason on one printable line", async () => {
  verifies("events-untrusted");
  await using bot = await EventBot.start(() => {});
  const ear = new Ear();
  await open(bot.url, ear);
  bot.peer.close(4000, `a\nb\u202e${"x".repeat(117)}`);
  const { message } = await ear.ended;
  ok(message.includes('"a\\nb\\u202exxx'), message);
  ok(message.endsWith('x…"') && message.length < 250, message);
});

tidyTest("openEventSocket() masks the token in a close reason, also where the reason is cut", async () => {
  verifies("events-token");
  await using bot = await EventBot.start(() => {});
  const token = "token-of-the-bot";
  for (const before of ["wrong: ", "x".repeat(105)]) {
    const ear = new Ear();
    await open(bot.url, ear, { token });
    bot.peer.close(1008, before + token);
    const { kind, message } = await ear.ended;
    strictEqual(kind, "auth");
    ok(message.includes(before) && !message.includes("token-of"), message);
  }
});

tidyTest("openEventSocket() ends when nothing comes any more, and keeps a quiet bot that answers pings", async () => {
  verifies("events-quiet", "events-disconnect");
  deepStrictEqual([PING_INTERVAL_MS, MAX_SILENCE_MS], [30_000, 90_000]);
  const times = { pingIntervalMs: 30, maxSilenceMs: 500 };
  await using quiet = await EventBot.start(() => {});
  const kept = new Ear();
  const socket = await open(quiet.url, kept, times);
  const over = Promise.withResolvers<void>();
  await using gone = new ByteBot(async (conn, head) => { // answers no ping
    await conn.write(new TextEncoder().encode(await acceptance(head)));
    await drain(conn).catch(() => {});
    over.resolve();
  });
  const ear = new Ear();
  await open(gone.url, ear, times);
  const { status, kind, message } = await ear.ended;
  deepStrictEqual([status, kind], ["failed", "timeout"]);
  ok(message.includes("500 ms"), message);
  await over.promise;
  await new Promise((resolve) => setTimeout(resolve, 150));
  strictEqual(kept.ends.length, 0);
  socket.close();
});

tidyTest("EventSocket.close() takes leave with 1000, may be repeated, and lets nothing come after it", async () => {
  verifies("events-release");
  await using bot = await EventBot.start(() => {});
  const ear = new Ear();
  const socket = await open(bot.url, ear);
  const left = bot.left();
  for (let i = 0; i < 50; i++) bot.peer.send(`text ${i}`);
  await until(() => ear.texts.length > 0);
  const heard = ear.texts.length;
  socket.close();
  socket.close();
  for (let i = 0; i < 50; i++) bot.peer.send("late");
  strictEqual(await left, 1000);
  strictEqual(ear.texts.length, heard);
  strictEqual(ear.ends.length, 0);
});

tidyTest("EventSocket.close() cuts the connection when the peer does not answer", async () => {
  verifies("events-release");
  const over = Promise.withResolvers<void>();
  await using bot = new ByteBot(async (conn, head) => {
    await conn.write(new TextEncoder().encode(await acceptance(head)));
    await drain(conn).catch(() => {}); // takes the close frame for nothing
    over.resolve();
  });
  const socket = await open(bot.url, new Ear());
  const startedAt = performance.now();
  socket.close();
  await over.promise;
  ok(performance.now() - startedAt < 10_000, "not the 30 s of a patient client");
});
