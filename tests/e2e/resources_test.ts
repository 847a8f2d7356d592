/** The catalog as resources, through both official clients. */
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { modernRequest } from "./support.ts";

const URI = "snowluma://onebot/actions";

for (const makeClient of CLIENTS) {
  Deno.test(`the catalog and each action are resources (${makeClient.name})`, async () => {
    verifies("resources");
    await using client = await makeClient();
    const { resources } = await client.listResources();
    deepStrictEqual(resources.map(({ uri, mimeType }: Message) => [uri, mimeType]), [[URI, "application/json"]]);
    const { resourceTemplates } = await client.listResourceTemplates();
    deepStrictEqual(resourceTemplates.map(({ uriTemplate }: Message) => uriTemplate), [`${URI}/{name}`]);

    const { contents } = await client.readResource(URI);
    strictEqual(contents[0].uri, URI);
    const { count, actions } = JSON.parse(contents[0].text);
    deepStrictEqual([count, actions.length], [179, 179]);
    for (const action of actions.filter((_: unknown, index: number) => index % 20 === 0)) {
      ok(action.returnsSchema !== undefined && action.examples.length > 0, action.name);
      const one = await client.readResource(`${URI}/${action.name}`);
      deepStrictEqual(JSON.parse(one.contents[0].text), action);
      const { structuredContent } = await client.callTool("get_action", { name: action.name });
      deepStrictEqual(structuredContent.result, action, "resource and tool say the same");
    }
    const aliased = actions.find(({ aliases }: Message) => aliases.length > 0);
    const one = await client.readResource(`${URI}/${aliased.aliases[0]}`);
    strictEqual(JSON.parse(one.contents[0].text).name, aliased.name);
  });

  Deno.test(`an unknown resource is refused, an unknown action with its neighbours (${makeClient.name})`, async () => {
    verifies("resources", "nearest-names");
    await using client = await makeClient();
    await rejects(client.readResource(`${URI}/get_grup_info`), /get_group_info/);
    for (const uri of ["snowluma://onebot/nothing", "file:///etc/passwd", `${URI}/__proto__`, `${URI}/constructor`]) {
      await rejects(client.readResource(uri), { code: -32602 }, uri);
    }
    ok((await client.readResource(`${URI}/get_msg`)).contents.length === 1);
  });
}

Deno.test("resources/read answers malformed addresses as bad arguments, in both generations", async (t) => {
  verifies("resources", "bad-arguments");
  for (const modern of [true, false]) {
    await using server = new ServerProcess();
    if (!modern) await server.initialize();
    const read = (id: number, params: Message): Promise<Message> =>
      modern ? modernRequest(server, id, "resources/read", params) : server.request(id, "resources/read", params);
    const bad = [`${URI}/%E0%A4%A`, `${URI}/%`, "", "not an address", `${URI}/${"x".repeat(100_000)}`];
    for (const [index, uri] of bad.entries()) {
      await t.step(`${modern ? "modern" : "legacy"}: ${JSON.stringify(uri).slice(0, 40)}`, async () => {
        const { error } = await read(index, { uri });
        strictEqual(error?.code, -32602, JSON.stringify(error)?.slice(0, 300));
        ok(error.message.length < 1000, `${error.message.length} characters`);
      });
    }
    for (const [index, uri] of [undefined, 5, null].entries()) { // the SDK answers these, as internal errors
      const { error } = await read(100 + index, { uri });
      ok([-32602, -32603].includes(error?.code) && error.message.includes("uri"), JSON.stringify(error));
    }
  }
});

Deno.test("an action's resource is found by a percent-encoded name", async () => {
  verifies("resources");
  await using client = await CLIENTS[0]();
  const { contents } = await client.readResource(`${URI}/%2Eget_word_slices`);
  strictEqual(JSON.parse(contents[0].text).name, ".get_word_slices");
});
