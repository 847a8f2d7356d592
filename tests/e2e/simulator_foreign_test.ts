/** The simulator against a client library that nobody here wrote, and its idea of the protocol. */
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { NCWebsocket } from "node-napcat-ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";

const TOKEN = "foreign-token";

interface Session extends AsyncDisposable {
  readonly simulator: Simulator;
  readonly client: NCWebsocket;
}

/** A simulator and a client that knows its token, not connected yet. */
async function session(options: SimulatorOptions = {}): Promise<Session> {
  const simulator = await startSimulator({ wsPort: 0, wsToken: TOKEN, ...options });
  const client = clientOf(simulator, TOKEN);
  return {
    simulator,
    client,
    async [Symbol.asyncDispose]() {
      await client.disconnect();
      await simulator.close();
    },
  };
}

function clientOf(simulator: Simulator, accessToken: string): NCWebsocket {
  return new NCWebsocket({
    baseUrl: simulator.wsUrl ?? "",
    accessToken,
    reconnection: { enable: false },
    apiTimeout: 10_000,
  });
}

/** The next event of a name that the library gives it. */
function next<T>(client: NCWebsocket, name: string): Promise<T> {
  // The library types events by name; here the names come from tests.
  const untyped = client as unknown as { subscribeOnce(name: string, handle: (event: T) => void): void };
  return new Promise((resolve) => untyped.subscribeOnce(name, resolve));
}

Deno.test("the library is greeted and hears the heart beat", async () => {
  verifies("simulator-foreign", "simulator-socket");
  await using open = await session({ heartbeatMs: 50 });
  const { client } = open;
  const greeting = Promise.all([
    next<{ sub_type: string }>(client, "meta_event.lifecycle.connect"),
    next<{ sub_type: string }>(client, "meta_event.lifecycle.enable"),
  ]);
  const beat = next<{ interval: number; status: unknown }>(client, "meta_event.heartbeat");
  await client.connect();
  deepStrictEqual((await greeting).map(({ sub_type }) => sub_type), ["connect", "enable"]);
  const { interval, status } = await beat;
  deepStrictEqual([interval, status], [50, { online: true, good: true }]);
  await next(client, "meta_event.heartbeat");
});

Deno.test("the library calls actions and tells their failures", async () => {
  verifies("simulator-foreign");
  await using open = await session();
  const { client } = open;
  await client.connect();
  deepStrictEqual(await client.get_login_info(), { user_id: 10001, nickname: "Simulated Bot" });
  strictEqual((await client.get_group_list()).length, 3);
  const failure = { status: "failed", data: null };
  await rejects(client.get_msg({ message_id: 1 }), { ...failure, retcode: 100 });
  await rejects(client.send_group_msg({ group_id: 99, message: [{ type: "text", data: { text: "x" } }] }), {
    ...failure,
    retcode: 100,
  });
  await rejects(client.send("no_such_action" as "get_status", {}), { ...failure, retcode: 1404 });
});

Deno.test("the library sends a message and receives the answer to it", async () => {
  verifies("simulator-foreign");
  await using open = await session();
  const { client } = open;
  await client.connect();
  const answered = next<{
    user_id: number;
    group_id: number;
    message: { type: string; data: Record<string, unknown> }[];
    sender: { nickname: string };
  }>(client, "message.group.normal");
  const { message_id } = await client.send_group_msg({
    group_id: 20001,
    message: [{ type: "text", data: { text: "Hello, " } }, { type: "at", data: { qq: "12001" } }],
  });
  const { user_id, group_id, message, sender } = await answered;
  deepStrictEqual([user_id, group_id, sender.nickname], [12001, 20001, "Linus"]);
  deepStrictEqual(message, [
    { type: "reply", data: { id: String(message_id) } },
    { type: "text", data: { text: "You said: Hello," } },
  ]);
});

Deno.test("the library hears of what happens by the names it has for it", async () => {
  verifies("simulator-foreign");
  await using open = await session({ answers: false, reportSelf: true });
  const { client, simulator } = open;
  await client.connect();
  const heard = async (name: string, make: () => unknown): Promise<void> => {
    const event = next(client, name);
    await make();
    await event;
  };
  const message = [{ type: "text" as const, data: { text: "x" } }];
  await heard("message.private.friend", () => simulator.receive({ user_id: 11001, message: "x" }));
  await heard("message_sent.private.friend", () => client.send_private_msg({ user_id: 11001, message }));
  await heard("request.friend", () => simulator.ask({ user_id: 12002 }));
  await heard("request.group.add", () => simulator.ask({ group_id: 20003, user_id: 12002 }));
  await heard("request.group.invite", () => simulator.ask({ group_id: 30001, user_id: 12002 }));
  await heard("notice.group_ban.ban", () => client.set_group_ban({ group_id: 20001, user_id: 12001, duration: 60 }));
  await heard("notice.group_admin.set", () => {
    return client.set_group_admin({ group_id: 20003, user_id: 12001, enable: true });
  });
  await heard("notice.notify.poke.group", () => client.send_poke({ group_id: 20001, user_id: 12001 }));
  await heard("notice.notify.poke.friend", () => client.friend_poke({ user_id: 11001 }));
  const { message_id } = await client.send_group_msg({ group_id: 20001, message });
  await heard("notice.essence.add", () => client.set_essence_msg({ message_id }));
  await heard(
    "notice.group_msg_emoji_like",
    () => client.set_msg_emoji_like({ message_id, emoji_id: "76", set: true }),
  );
  await heard("notice.group_recall", () => client.delete_msg({ message_id }));
  await heard("notice.group_decrease.kick", () => client.set_group_kick({ group_id: 20001, user_id: 12001 }));
});

Deno.test("the library with a wrong token is let in and thrown out, or not let in", async () => {
  verifies("simulator-foreign", "simulator-socket");
  for (const wsRefusal of ["close", "http"] as const) {
    await using open = await session({ wsRefusal });
    const client = clientOf(open.simulator, "wrong");
    let opened = false;
    client.on("socket.open", () => opened = true);
    const closed = next<{ code: number; reason: string }>(client, "socket.close");
    // Without an upgrade the library never comes back from this.
    void client.connect();
    const { code, reason } = await closed;
    if (wsRefusal === "close") deepStrictEqual([opened, code, reason], [true, 1008, "invalid access token"]);
    else deepStrictEqual([opened, code, reason], [false, 1006, ""]);
    await client.disconnect();
  }
});

Deno.test("the library is told when the bot goes away", async () => {
  verifies("simulator-foreign");
  await using open = await session();
  const { client, simulator } = open;
  await client.connect();
  const disabled = next(client, "meta_event.lifecycle.disable");
  const closed = next<{ code: number }>(client, "socket.close");
  await simulator.close();
  await disabled;
  strictEqual((await closed).code, 1012);
  await rejects(client.get_status(), { retcode: -1 });
  ok(simulator.requests.every(({ action }) => action === null));
});
