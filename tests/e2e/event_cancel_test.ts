/** subscribe_events that is cancelled about when its answer leaves: a resource that nobody heard of is none. */
import { ok, strictEqual } from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { verifies } from "../requirements.ts";
import { hasOlderRuntime } from "../support/binary.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { event, EventBot, lifecycle, SELF, until } from "../unit/events/support.ts";
import { collect, eventOptions, release, subscribe } from "./event_support.ts";
import { envelope } from "./support.ts";

/** Attempts in each way. */
const ROUNDS = 60;
/** How many bytes the server reads at once. */
const CHUNK = 65_536;

/** A server over raw pipes that is asked in one generation. */
class Race implements AsyncDisposable {
  readonly server: ServerProcess;
  readonly #meta: Message;

  constructor(bot: EventBot, isModern: boolean) {
    this.server = new ServerProcess(eventOptions(bot.url));
    this.#meta = isModern ? { _meta: envelope() } : {};
  }

  async request(method: string, params: Message = {}): Promise<Message> {
    return (await this.server.request(crypto.randomUUID(), method, { ...params, ...this.#meta })).result;
  }

  readonly callTool = (name: string, args: Message = {}): Promise<Message> =>
    this.request("tools/call", { name, arguments: args });

  /** The line that subscribes, and the one that cancels it. */
  lines(id: string): [call: string, cancel: string] {
    const call = { name: "subscribe_events", arguments: { self_id: SELF }, ...this.#meta };
    return [
      `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: call })}\n`,
      `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } })}\n`,
    ];
  }

  /** Checks that the resources there are, beside these, are those whose subscriber was answered; gives the latter. */
  async agreed(id: string, ...others: string[]): Promise<string[]> {
    for (const deadline = performance.now() + 3_000;;) { // a cancellation works some turns after it has come
      const { resources } = await this.request("resources/list");
      const listed = resources.map(({ uri }: Message) => uri).filter((uri: string) => uri.includes("/events/"));
      const answers = this.server.lines.map((line): Message => JSON.parse(line)).filter((line) => line.id === id);
      const heard: string[] = answers.flatMap(({ result }) => result.structuredContent.result?.uri ?? []);
      if (isDeepStrictEqual(listed.sort(), [...heard, ...others].sort())) return heard;
      ok(performance.now() < deadline, `${id}: ${listed} instead of ${heard} and ${others}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}

/** An answer that the client has already is still taken for one that can be cancelled. */
const TELLS_LATE = await hasOlderRuntime();

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

for (const isModern of [true, false]) {
  const generation = isModern ? "modern" : "legacy";

  Deno.test({
    name: `a ${generation} client that cancels subscribe_events on a standing connection leaves no resource unheard`,
    ignore: TELLS_LATE,
  }, async () => {
    verifies("events-release", "events-resources");
    await using bot = await EventBot.start();
    await using race = new Race(bot, isModern);
    if (!isModern) await race.server.initialize();
    const kept = await subscribe(race);
    for (let round = 0; round < ROUNDS; round++) {
      const id = `r${round}`;
      const [call, cancel] = race.lines(id);
      const ways = [
        () => race.server.send(call + cancel),
        () => race.server.send(`${" ".repeat(CHUNK - call.length - 1)}\n${call}${cancel}`), // in the next chunk
        () => Promise.all([race.server.send(call), race.server.send(cancel)]),
        async () => {
          await race.server.send(call);
          await rest(round / 20);
          await race.server.send(cancel);
        },
      ];
      await ways[round % ways.length]?.();
      const heard = await race.agreed(id, kept);
      for (const uri of heard) await release(race, uri);
    }
    strictEqual(bot.peers.length, 1);
    await bot.send(event());
    strictEqual((await collect(race, kept, 1)).length, 1);
  });

  Deno.test({
    name: `a ${generation} client that cancels subscribe_events while it connects leaves no connection unheard`,
    ignore: TELLS_LATE,
  }, async () => {
    verifies("events-release", "events-resources");
    await using bot = await EventBot.start(() => {});
    await using race = new Race(bot, isModern);
    if (!isModern) await race.server.initialize();
    await race.request("tools/list");
    for (let round = 0; round < ROUNDS; round++) {
      const id = `r${round}`;
      const [call, cancel] = race.lines(id);
      await race.server.send(call);
      await until(() => bot.peers.length === round + 1);
      const { peer } = bot;
      const left = bot.left();
      const greet = (): void => peer.send(lifecycle());
      if (round % 3 === 0) greet();
      if (round % 6 > 2) await rest(round / 40);
      const cancelled = race.server.send(cancel);
      if (round % 3 === 1) greet();
      await cancelled;
      if (round % 3 === 2) greet();
      const heard = await race.agreed(id);
      for (const uri of heard) await release(race, uri);
      ok([1000, 1006].includes(await left));
    }
  });

  Deno.test({
    name: `a ${generation} client that cancels subscribe_events after its answer keeps the resource`,
    ignore: TELLS_LATE,
  }, async () => {
    verifies("events-release");
    await using bot = await EventBot.start();
    await using race = new Race(bot, isModern);
    if (!isModern) await race.server.initialize();
    const [call, cancel] = race.lines("late");
    await race.server.send(call);
    await race.server.receive(({ id }) => id === "late");
    await race.server.send(cancel);
    const [uri = ""] = await race.agreed("late");
    await bot.send(event());
    strictEqual((await collect(race, uri, 1)).length, 1);
  });
}
