/** The panel as a resource: the packaged page to the letter, its policy without outside origins, how long it keeps. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { CLIENTS, SHOWS_PANELS } from "../support/clients.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { ERAS } from "./trace_support.ts";
import { envelope } from "./support.ts";

const TYPE = "text/html;profile=mcp-app";
const CSP = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };

for (const connect of CLIENTS) {
  Deno.test(`the page that the tool names is listed, read, and the packaged one (${connect.name})`, async () => {
    verifies("panel-csp-declared", "panel-capable-only", "eras-equal");
    await using client = await connect({ extensions: SHOWS_PANELS });
    const { tools } = await client.listTools();
    const { _meta } = tools.find(({ name }: Message) => name === "preview_message");
    const { resourceUri } = _meta.ui;
    const entry = (await client.listResources()).resources.find(({ uri }: Message) => uri === resourceUri);
    deepStrictEqual([entry.mimeType, entry._meta.ui.csp], [TYPE, CSP]);
    ok(entry.name && entry.title && entry.description);

    const { contents } = await client.readResource(resourceUri);
    strictEqual(contents.length, 1);
    const { text, ...about } = contents[0];
    deepStrictEqual(about, { uri: resourceUri, mimeType: TYPE, _meta: { ui: { csp: CSP, prefersBorder: true } } });
    ok(text === await Deno.readTextFile(new URL("../../ui/panel.html", import.meta.url)), "it is another page");
    ok((await client.readResource(resourceUri)).contents[0].text === text, "it is another page the second time");
  });
}

Deno.test("the page may be kept by everybody, the lists by one client; older generations get no such word", async () => {
  verifies("panel-csp-declared", "cache-hints");
  const uri = "ui://snowluma/message-preview.html";
  const requests: Array<[method: string, params: Message, scope: string]> = [
    ["resources/read", { uri }, "public"],
    ["tools/list", {}, "private"],
    ["resources/list", {}, "private"],
  ];
  for (const [era, { start }] of Object.entries(ERAS)) {
    await using server = await start({});
    const _meta = era === "modern" ? envelope({ clientCapabilities: { extensions: SHOWS_PANELS } }) : {};
    for (const [method, params, scope] of requests) {
      const { result } = await server.request(method, method, { ...params, _meta });
      const { ttlMs, cacheScope } = result;
      deepStrictEqual([ttlMs, cacheScope], era === "modern" ? [300_000, scope] : [undefined, undefined], method);
    }
  }
});

Deno.test("neighbors of the page's address are no resources", async () => {
  verifies("panel-csp-declared");
  await using server = new ServerProcess();
  await server.initialize();
  for (
    const uri of ["ui://snowluma/panel.html", "ui://snowluma/message-preview.html/x", "ui://x/message-preview.html"]
  ) {
    strictEqual((await server.request(uri, "resources/read", { uri })).error?.code, -32602, uri);
  }
});
