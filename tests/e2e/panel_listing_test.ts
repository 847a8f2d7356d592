/** Who is told of the panel: clients that say that they show such panels, each request by what it says itself. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS, SHOWS_PANELS } from "../support/clients.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { eventOptions, release, subscribe } from "./event_support.ts";
import { envelope } from "./support.ts";

const UI = "io.modelcontextprotocol/ui";
const TYPE = "text/html;profile=mcp-app";
const PANEL = "ui://snowluma/message-preview.html";
const CATALOG = "snowluma://onebot/actions";

/** What clients may say of extensions, and whether it is that they show such panels. */
const TOLD: ReadonlyArray<[extensions: Message | undefined, shows: boolean]> = [
  [undefined, false],
  [{}, false],
  [{ [UI]: {} }, false],
  [{ [UI]: { mimeTypes: [] } }, false],
  [{ [UI]: { mimeTypes: ["text/html"] } }, false],
  [{ [UI]: { mimeTypes: [`${TYPE}2`, "text/html+mcp"] } }, false],
  [{ [UI]: { mimeTypes: TYPE } }, false],
  [{ [UI]: { mimeTypes: null } }, false],
  [{ [UI]: { mimeTypes: { 0: TYPE, length: 1 } } }, false],
  [{ [UI]: { mimeTypes: [[TYPE]] } }, false],
  [{ [UI]: { mimetypes: [TYPE] } }, false],
  [{ "io.modelcontextprotocol/UI": { mimeTypes: [TYPE] } }, false],
  [{ "io.modelcontextprotocol/tasks": { mimeTypes: [TYPE] } }, false],
  [SHOWS_PANELS, true],
  [{ [UI]: { mimeTypes: ["text/html", TYPE, null], other: 1 } }, true],
];

function toolsWithMeta({ tools }: Message): Message[] {
  return tools.filter((tool: Message) => "_meta" in tool);
}

function uris({ resources }: Message): string[] {
  return resources.map(({ uri }: Message) => uri);
}

for (const connect of CLIENTS) {
  Deno.test(`the panel is listed for clients that show such panels alone (${connect.name})`, async (t) => {
    verifies("panel-capable-only", "eras-equal");
    const seen: Message[] = [];
    for (const [extensions, shows] of TOLD) {
      await t.step(JSON.stringify(extensions) ?? "no extensions", async () => {
        await using client = await connect(extensions === undefined ? {} : { extensions });
        const list = await client.listTools();
        deepStrictEqual(
          toolsWithMeta(list).map(({ name, _meta }) => [name, _meta]),
          shows ? [["preview_message", { ui: { resourceUri: PANEL }, "ui/resourceUri": PANEL }]] : [],
        );
        deepStrictEqual(uris(await client.listResources()), shows ? [CATALOG, PANEL] : [CATALOG]);
        seen.push(list.tools.map(({ _meta, ...tool }: Message) => tool));
      });
    }
    for (const tools of seen) deepStrictEqual(tools, seen[0], "beside the metadata everybody sees the same");
  });

  Deno.test(`events are listed for everybody, after catalog and panel (${connect.name})`, async () => {
    verifies("panel-capable-only", "events-resource");
    await using bot = await startSimulator({ wsPort: 0 });
    for (const [extensions, before] of [[{}, [CATALOG]], [SHOWS_PANELS, [CATALOG, PANEL]]] as const) {
      await using client = await connect({ ...eventOptions(bot.wsUrl, { endpoint: bot.url }), extensions });
      deepStrictEqual(uris(await client.listResources()), before);
      const events = await subscribe(client);
      const { resources } = await client.listResources();
      deepStrictEqual(uris({ resources }), [...before, events]);
      const names = resources.map(({ name, mimeType }: Message) => [name, mimeType]);
      deepStrictEqual([names[0], names.at(-1)], [["actions", "application/json"], ["events", "application/json"]]);
      await release(client, events);
      deepStrictEqual(uris(await client.listResources()), before);
    }
  });
}

Deno.test("2026-07-28: each request is answered by what it says itself, on one connection", async () => {
  verifies("panel-capable-only");
  await using server = new ServerProcess();
  const able = envelope({ clientCapabilities: { extensions: SHOWS_PANELS } });
  const envelopes = [envelope(), able, envelope(), able, able, envelope()];
  await Promise.all(envelopes.map(async (_meta, index) => { // sent before the first is answered
    const shows = _meta === able ? 1 : 0;
    const tools = await server.request(`tools ${index}`, "tools/list", { _meta });
    strictEqual(toolsWithMeta(tools.result).length, shows, `request ${index}`);
    const resources = await server.request(`resources ${index}`, "resources/list", { _meta });
    strictEqual(uris(resources.result).filter((uri) => uri === PANEL).length, shows, `request ${index}`);
  }));
});

Deno.test("every older revision is answered by what its handshake said", async (t) => {
  verifies("panel-capable-only", "legacy");
  for (const protocolVersion of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
    await t.step(protocolVersion, async () => {
      await using server = new ServerProcess();
      const clientInfo = { name: "raw", version: "1" };
      const capabilities = { extensions: SHOWS_PANELS };
      const { result } = await server.request("init", "initialize", { protocolVersion, capabilities, clientInfo });
      deepStrictEqual(result.capabilities.extensions, { [UI]: {} });
      strictEqual(toolsWithMeta((await server.request(1, "tools/list")).result).length, 1);
      deepStrictEqual(uris((await server.request(2, "resources/list")).result), [CATALOG, PANEL]);
    });
  }
});

Deno.test("a malformed word on panels is refused, and what follows is served", async (t) => {
  verifies("panel-capable-only", "bad-arguments");
  for (const value of [null, "x", [TYPE], true]) {
    await t.step(JSON.stringify(value), async () => {
      const capabilities = { extensions: { [UI]: value } };
      await using modern = new ServerProcess();
      const _meta = envelope({ clientCapabilities: capabilities });
      strictEqual((await modern.request(1, "tools/list", { _meta })).error?.code, -32602);
      ok((await modern.request(2, "tools/list", { _meta: envelope() })).result.tools.length > 0);

      await using legacy = new ServerProcess();
      const clientInfo = { name: "raw", version: "1" };
      const hello = { protocolVersion: "2025-11-25", capabilities, clientInfo };
      const { error } = await legacy.request(1, "initialize", hello);
      ok(error?.message.includes(UI), JSON.stringify(error));
      strictEqual((await legacy.initialize()).error, undefined);
    });
  }
});
