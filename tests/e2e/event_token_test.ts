/** The token of the event connection: where it goes, what a wrong one comes to, and that nobody gets to see it. */
import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { encodeBase64, encodeHex } from "@std/encoding";
import { type SimulatorOptions, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { ByteBot, drain, event, EventBot, lifecycle } from "../unit/events/support.ts";
import { collect, ended, eventOptions, refusal, release, subscribe } from "./event_support.ts";
import { KINDS, passedOn } from "./exec_support.ts";

/** Both hold what has to be escaped somewhere. */
const CALLS_TOKEN = "tok_CALLS+/=1";
const EVENTS_TOKEN = 'tok_EVENTS+/="2';

/** How a peer may spell a secret. */
function spellings(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [secret, encodeURIComponent(secret), escaped, encodeBase64(secret), encodeHex(secret)];
}

/** A server over raw pipes that can be asked like a client, and searched for what it said. */
class Watched implements AsyncDisposable {
  readonly server: ServerProcess;
  #calls = 0;

  constructor(wsUrl: string | undefined, endpoint: string | undefined, env: Record<string, string>) {
    this.server = new ServerProcess(eventOptions(wsUrl, { ...(endpoint !== undefined && { endpoint }), env }));
  }

  async callTool(name: string, args: Message = {}): Promise<Message> {
    if (this.#calls === 0) await this.server.initialize();
    return (await this.server.call(++this.#calls, name, args)).result;
  }

  /** Ends it, and checks that none of the secrets was written anywhere. */
  async saidNoneOf(...secrets: string[]): Promise<void> {
    await this.server.closeInput();
    const { code } = await this.server.exit();
    strictEqual(code, 0, await this.server.stderr);
    const said = [...this.server.lines, await this.server.stderr].join("\n");
    const plain = said.replaceAll("\\\\", "\\").replaceAll('\\"', '"');
    for (const form of secrets.flatMap(spellings)) ok(![said, plain].some((text) => text.includes(form)), form);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}

Deno.test("the event token goes into the header of the upgrade, and that of calls into theirs, and nowhere else", async () => {
  verifies("events-token", "no-token");
  await using bot = await startSimulator({ token: CALLS_TOKEN, wsPort: 0, wsToken: EVENTS_TOKEN });
  await using watched = new Watched(bot.wsUrl, bot.url, {
    SNOWLUMA_MCP_TOKEN: CALLS_TOKEN,
    SNOWLUMA_MCP_EVENTS_TOKEN: EVENTS_TOKEN,
  });
  const uri = await subscribe(watched);
  bot.receive({ group_id: 20001, user_id: 12001, message: "hello" });
  await collect(watched, uri, 1);
  strictEqual(
    passedOn({ result: await watched.callTool(KINDS.read.tool, KINDS.read.args) }).diagnostics.outcome,
    "success",
  );
  const [upgrade, call, ...more] = bot.requests;
  deepStrictEqual([upgrade?.method, upgrade?.path, upgrade?.headers.authorization], [
    "UPGRADE",
    "/",
    `Bearer ${EVENTS_TOKEN}`,
  ]);
  for (const name of ["cookie", "origin", "sec-websocket-protocol"]) strictEqual(upgrade?.headers[name], undefined);
  deepStrictEqual([call?.action, call?.headers.authorization], ["get_status", `Bearer ${CALLS_TOKEN}`]);
  deepStrictEqual(more, []);
  await watched.saidNoneOf(CALLS_TOKEN, EVENTS_TOKEN);
});

Deno.test("the token of calls serves events too when they have none of their own, and no token means no header", async () => {
  verifies("events-token");
  const cases: Array<[env: Record<string, string>, header: string | undefined]> = [
    [{ SNOWLUMA_MCP_TOKEN: CALLS_TOKEN }, `Bearer ${CALLS_TOKEN}`],
    [{ SNOWLUMA_MCP_TOKEN: CALLS_TOKEN, SNOWLUMA_MCP_EVENTS_TOKEN: "" }, `Bearer ${CALLS_TOKEN}`],
    [{ SNOWLUMA_MCP_EVENTS_TOKEN: EVENTS_TOKEN }, `Bearer ${EVENTS_TOKEN}`],
    [{}, undefined],
  ];
  for (const [env, header] of cases) {
    await using bot = await EventBot.start();
    await using watched = new Watched(bot.url, undefined, env);
    await subscribe(watched);
    deepStrictEqual(bot.requests.map(({ headers, url }) => [headers.authorization, url]), [[header, "/"]]);
    await watched.saidNoneOf(CALLS_TOKEN, EVENTS_TOKEN);
  }
});

const REFUSALS: Array<SimulatorOptions & { wsRefusal: "close" | "http" }> = [{ wsRefusal: "close" }, {
  wsRefusal: "http",
}];

for (const refused of REFUSALS) {
  Deno.test(`a wrong event token is refused by subscribe_events itself, as ${refused.wsRefusal}, while calls work`, async () => {
    verifies("events-auth", "events-token", "no-token");
    await using bot = await startSimulator({ token: CALLS_TOKEN, wsPort: 0, wsToken: EVENTS_TOKEN, ...refused });
    const wrong = "tok_WRONG+/=3";
    for (const env of [{ SNOWLUMA_MCP_EVENTS_TOKEN: wrong }, {}]) {
      await using watched = new Watched(bot.wsUrl, bot.url, { SNOWLUMA_MCP_TOKEN: CALLS_TOKEN, ...env });
      const { kind, next_step } = await refusal(watched);
      strictEqual(kind, "auth");
      match(next_step, /SNOWLUMA_MCP_EVENTS_TOKEN.*SNOWLUMA_MCP_TOKEN/);
      const answer = await watched.callTool(KINDS.read.tool, KINDS.read.args);
      strictEqual(passedOn({ result: answer }).diagnostics.outcome, "success");
      await watched.saidNoneOf(CALLS_TOKEN, EVENTS_TOKEN, wrong);
    }
    strictEqual(bot.requests.filter(({ method }) => method === "UPGRADE").length, 2);
  });
}

Deno.test("a token that the bot repeats is masked in events, in close reasons and in what is logged of them", async () => {
  verifies("events-token", "no-token");
  await using bot = await EventBot.start();
  const env = { SNOWLUMA_MCP_TOKEN: CALLS_TOKEN, SNOWLUMA_MCP_EVENTS_TOKEN: EVENTS_TOKEN };
  await using watched = new Watched(bot.url, undefined, env);
  const uri = await subscribe(watched);
  const forms = [CALLS_TOKEN, EVENTS_TOKEN].flatMap(spellings);
  for (const form of forms) await bot.send(event({ raw_message: `<${form}>`, [form]: [form], user_id: 30001 }));
  await bot.send(
    event({ raw_message: "<>" }).replace(
      "<>",
      [...EVENTS_TOKEN].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    ),
  );
  const events = await collect(watched, uri, forms.length + 1);
  for (const { event } of events.slice(0, -1)) {
    match(event.raw_message, /^<.*\[redacted\].*>$/);
    strictEqual(event.user_id, 30001);
  }
  strictEqual(events.at(-1)?.event.raw_message, "[redacted]");
  for (const code of [1008, 4000]) {
    const current = code === 1008 ? uri : await subscribe(watched);
    bot.peer.close(code, `${"x".repeat(107)} ${EVENTS_TOKEN}`); // would be cut amid the token
    match((await ended(watched, current)).reason?.message ?? "", new RegExp(`code ${code}, "x+ `));
    await release(watched, current);
  }
  await watched.saidNoneOf(CALLS_TOKEN, EVENTS_TOKEN);
  const said = [...watched.server.lines, await watched.server.stderr].join("\n");
  doesNotMatch(said, /tok_(CALLS|EVENTS)/); // not even a piece
});

for (const connect of CLIENTS) {
  Deno.test(`${connect.name}: each status of a refused upgrade gets its kind and advice, and redirects are not followed`, async () => {
    verifies("events-path", "events-auth", "events-no-reconnect");
    await using elsewhere = await EventBot.start();
    let head = "";
    let asked = 0;
    await using bot = new ByteBot(async (conn) => {
      asked++;
      await conn.write(new TextEncoder().encode(`HTTP/1.1 ${head}\r\n\r\n`));
      await drain(conn);
    });
    await using client = await connect(eventOptions(bot.url, { env: { SNOWLUMA_MCP_TOKEN: CALLS_TOKEN } }));
    const statuses: Array<[head: string, kind: string, advice: RegExp]> = [
      ["400 Bad Request", "connect", /path in SNOWLUMA_MCP_EVENTS_URL/],
      ["404 Not Found", "connect", /path in SNOWLUMA_MCP_EVENTS_URL/],
      ["401 Unauthorized", "auth", /SNOWLUMA_MCP_EVENTS_TOKEN/],
      ["403 Forbidden", "auth", /SNOWLUMA_MCP_EVENTS_TOKEN/],
      ["407 Proxy Authentication Required", "connect", /SNOWLUMA_MCP_EVENTS_URL/],
      ["200 OK", "connect", /SNOWLUMA_MCP_EVENTS_URL/],
      ["426 Upgrade Required", "connect", /SNOWLUMA_MCP_EVENTS_URL/],
      ["500 Internal Server Error", "connect", /SNOWLUMA_MCP_EVENTS_URL/],
      ...["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"].map((status) =>
        [`${status}\r\nLocation: ${elsewhere.url}`, "connect", /SNOWLUMA_MCP_EVENTS_URL/] as [string, string, RegExp]
      ),
    ];
    for (const [index, [given, kind, advice]] of statuses.entries()) {
      head = given;
      const failure = await refusal(client);
      deepStrictEqual([failure.kind, asked], [kind, index + 1], head);
      match(failure.message, new RegExp(`HTTP ${head.slice(0, 3)}`));
      match(failure.next_step, advice, head);
    }
    strictEqual(elsewhere.requests.length, 0);
  });
}

Deno.test("the path of the address is asked for to the letter, and a wrong one is told as that", async () => {
  verifies("events-path", "events-url");
  await using bot = await startSimulator({ wsPort: 0, wsPath: "/onebot/v11/ws" });
  const right = bot.wsUrl ?? "";
  await using client = await CLIENTS[0](eventOptions(right));
  await subscribe(client);
  await using lost = await CLIENTS[0](eventOptions(right.replace("/onebot/v11/ws", "/event")));
  const { kind, next_step } = await refusal(lost);
  strictEqual(kind, "connect");
  match(next_step, /path/);
  deepStrictEqual(bot.requests.map(({ path }) => path), ["/onebot/v11/ws", "/event"]);
});

Deno.test("no proxy of the environment gets the event connection", async () => {
  verifies("events-token");
  await using bot = await EventBot.start((peer) => peer.send(lifecycle()));
  let asked = 0;
  await using proxy = new ByteBot(async (conn) => {
    asked++;
    await conn.write(new TextEncoder().encode("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
  });
  const address = proxy.url.replace("ws:", "http:");
  const names = ["http_proxy", "https_proxy", "all_proxy", "ws_proxy", "wss_proxy"];
  const env = Object.fromEntries([...names, ...names.map((name) => name.toUpperCase())].map((name) => [name, address]));
  await using client = await CLIENTS[0](eventOptions(bot.url, { env: { ...env, NO_PROXY: "", no_proxy: "" } }));
  await subscribe(client);
  deepStrictEqual([bot.requests.length, asked], [1, 0]);
});
