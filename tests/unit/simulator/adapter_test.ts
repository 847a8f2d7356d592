/** The HTTP adapter from the client's side: checks in their order, request forms, answers. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { MAX_BODY_BYTES } from "../../../lib/simulator/body.ts";
import { startSimulator } from "../../../lib/simulator/mod.ts";
import { call, data } from "./support.ts";
import { verifies } from "../../requirements.ts";

const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };
const BEARER = { authorization: "Bearer secret" };

interface CheckCase {
  name: string;
  target: string;
  init?: RequestInit;
  expected: [status: number, retcode: number];
}

const CHECKS: CheckCase[] = [
  { name: "a path outside the prefix, before the token", target: "/other", expected: [404, 1404] },
  {
    name: "a path that only starts like the prefix",
    target: "/bots",
    init: { headers: BEARER },
    expected: [404, 1404],
  },
  { name: "no token", target: "/bot/get_status", expected: [401, 1401] },
  {
    name: "a wrong token",
    target: "/bot/get_status",
    init: { headers: { authorization: "Bearer no" } },
    expected: [401, 1401],
  },
  {
    name: "a scheme in lower case",
    target: "/bot/get_status",
    init: { headers: { authorization: "bearer secret" } },
    expected: [401, 1401],
  },
  { name: "no token on the root, before the ping", target: "/bot/", expected: [401, 1401] },
  { name: "another method without a token", target: "/bot/get_status", init: { method: "PUT" }, expected: [401, 1401] },
  {
    name: "another method",
    target: "/bot/get_status",
    init: { method: "PUT", headers: BEARER },
    expected: [405, 1400],
  },
  {
    name: "another method before its content type",
    target: "/bot/get_status",
    init: { method: "DELETE", headers: { ...BEARER, "content-type": "text/plain" }, body: "x" },
    expected: [405, 1400],
  },
  {
    name: "an unknown content type",
    target: "/bot/get_status",
    init: { method: "POST", headers: { ...BEARER, "content-type": "text/plain" }, body: "{}" },
    expected: [400, 1400],
  },
  {
    name: "an unknown content type before a missing action",
    target: "/bot/",
    init: { method: "POST", headers: { ...BEARER, "content-type": "text/plain" }, body: "x" },
    expected: [400, 1400],
  },
  {
    name: "an unknown content type of a blank body",
    target: "/bot/get_status",
    init: { method: "POST", headers: { ...BEARER, "content-type": "text/plain" }, body: " \n" },
    expected: [200, 0],
  },
  {
    name: "broken JSON",
    target: "/bot/get_status",
    init: { method: "POST", headers: { ...BEARER, ...JSON_TYPE }, body: "{" },
    expected: [400, 1400],
  },
  {
    name: "no action",
    target: "/bot/",
    init: { method: "POST", headers: { ...BEARER, ...JSON_TYPE }, body: "{}" },
    expected: [400, 1400],
  },
  {
    name: "an action that is no text",
    target: "/bot/",
    init: { method: "POST", headers: { ...BEARER, ...JSON_TYPE }, body: '{"action":5}' },
    expected: [400, 1400],
  },
  { name: "an unknown action", target: "/bot/no_such_action", init: { headers: BEARER }, expected: [200, 1404] },
  { name: "a slash after the action", target: "/bot/get_status/", init: { headers: BEARER }, expected: [200, 1404] },
  { name: "an encoded action", target: "/bot/get%5Fstatus", init: { headers: BEARER }, expected: [200, 1404] },
  { name: "the token in the query", target: "/bot/get_status?access_token=secret", expected: [200, 0] },
  {
    name: "the token in the query beside a wrong header",
    target: "/bot/get_status?access_token=secret",
    init: { headers: { authorization: "Bearer no" } },
    expected: [200, 0],
  },
  { name: "the root", target: "/bot/", init: { headers: BEARER }, expected: [200, 0] },
  { name: "the root without its slash", target: "/bot", init: { headers: BEARER }, expected: [200, 0] },
];

Deno.test("the adapter answers each check with its status and retcode", async (t) => {
  verifies("simulator-wire");
  await using simulator = await startSimulator({ path: "/bot/", token: "secret" });
  strictEqual(simulator.url, `http://127.0.0.1:${simulator.port}/bot/`);
  for (const { name, target, init, expected } of CHECKS) {
    await t.step(name, async () => {
      const response = await fetch(`http://127.0.0.1:${simulator.port}${target}`, init);
      const envelope = await response.json();
      deepStrictEqual([response.status, envelope.retcode], expected);
      strictEqual(envelope.status, expected[1] === 0 ? "ok" : "failed");
      strictEqual(response.headers.get("content-type"), "application/json; charset=utf-8");
      if (expected[1] !== 0) {
        strictEqual(envelope.data, null);
        ok(envelope.wording.length > 0);
      }
    });
  }
});

Deno.test("the adapter pings on GET of the root and runs no action there", async () => {
  verifies("simulator-wire");
  await using simulator = await startSimulator();
  const envelope = await (await fetch(`${simulator.url}?action=get_login_info`)).json();
  deepStrictEqual(envelope, { status: "ok", retcode: 0, data: { online: true } });
  strictEqual(simulator.requests[0]?.action, null);
});

interface FormCase {
  name: string;
  target: string;
  init?: RequestInit;
  user: number;
  echo?: unknown;
}

const ASKED = { user_id: 11001 };
const FORMS: FormCase[] = [
  {
    name: "POST on the root with action, params and echo",
    target: "",
    init: {
      method: "POST",
      headers: JSON_TYPE,
      body: JSON.stringify({ action: "get_stranger_info", params: ASKED, echo: { a: [1] } }),
    },
    user: 11001,
    echo: { a: [1] },
  },
  {
    name: "POST on the action with bare params",
    target: "get_stranger_info",
    init: { method: "POST", headers: JSON_TYPE, body: JSON.stringify({ ...ASKED, echo: null }) },
    user: 11001,
    echo: null,
  },
  {
    name: "POST on the action with params, whose siblings are dropped",
    target: "get_stranger_info",
    init: { method: "POST", headers: JSON_TYPE, body: JSON.stringify({ params: ASKED, user_id: 11002, echo: 7 }) },
    user: 11001,
    echo: 7,
  },
  {
    name: "POST with params that are no object: the whole body counts",
    target: "get_stranger_info",
    init: { method: "POST", headers: JSON_TYPE, body: JSON.stringify({ params: [1], user_id: 11002 }) },
    user: 11002,
  },
  {
    name: "an action in the path beside one in the body",
    target: "get_stranger_info",
    init: { method: "POST", headers: JSON_TYPE, body: JSON.stringify({ action: "get_status", ...ASKED }) },
    user: 11001,
  },
  {
    name: "a content type with a charset in odd case",
    target: "get_stranger_info",
    init: {
      method: "POST",
      headers: { "content-type": "Application/JSON; charset=utf-8" },
      body: JSON.stringify(ASKED),
    },
    user: 11001,
  },
  {
    name: "fields on the root",
    target: "",
    init: { method: "POST", headers: FORM_TYPE, body: "action=get_stranger_info&user_id=11001&echo=abc" },
    user: 11001,
    echo: "abc",
  },
  {
    name: "fields on the action",
    target: "get_stranger_info",
    init: { method: "POST", headers: FORM_TYPE, body: "user_id=11001" },
    user: 11001,
  },
  { name: "GET", target: "get_stranger_info?user_id=11001&echo=x", user: 11001 },
  {
    name: "no content type, JSON",
    target: "get_stranger_info",
    init: { method: "POST", body: new TextEncoder().encode(JSON.stringify(ASKED)) },
    user: 11001,
  },
  {
    name: "no content type, fields",
    target: "get_stranger_info",
    init: { method: "POST", body: new TextEncoder().encode("user_id=11001") },
    user: 11001,
  },
];

Deno.test("the adapter reads each request form", async (t) => {
  verifies("simulator-wire");
  await using simulator = await startSimulator();
  for (const { name, target, init, user, ...rest } of FORMS) {
    await t.step(name, async () => {
      const envelope = await (await fetch(`${simulator.url}${target}`, init)).json();
      strictEqual(envelope.retcode, 0, envelope.wording);
      strictEqual(envelope.data.user_id, user);
      deepStrictEqual("echo" in envelope ? [envelope.echo] : [], "echo" in rest ? [rest.echo] : []);
    });
  }
});

Deno.test("the adapter takes a JSON array or primitive as no params", async () => {
  verifies("simulator-wire");
  await using simulator = await startSimulator();
  for (const body of ["[1]", "5", "null", '"x"']) {
    const response = await fetch(`${simulator.url}get_status`, { method: "POST", headers: JSON_TYPE, body });
    strictEqual((await response.json()).retcode, 0, body);
  }
});

Deno.test("the adapter parses query values as JSON when it can", async () => {
  verifies("simulator-wire");
  await using simulator = await startSimulator();
  const ask = async (query: string): Promise<[number, string]> => {
    const { retcode, wording } = await (await fetch(`${simulator.url}send_group_msg?group_id=20001&${query}`)).json();
    return [retcode, wording];
  };
  deepStrictEqual(await ask("message=123"), [100, "message is empty"]);
  strictEqual((await ask('message="123"'))[0], 0);
  strictEqual((await ask("message=hello"))[0], 0);
});

Deno.test("the adapter refuses a body over 64 MiB with 413", async () => {
  verifies("simulator-wire");
  await using simulator = await startSimulator();
  const body = new Uint8Array(MAX_BODY_BYTES + 1).fill(0x20);
  const response = await fetch(`${simulator.url}get_status`, { method: "POST", headers: JSON_TYPE, body });
  deepStrictEqual([response.status, (await response.json()).retcode], [413, 1413]);
});

Deno.test("the adapter refuses a chunked body over 64 MiB with 413", async () => {
  verifies("simulator-wire");
  await using simulator = await startSimulator();
  let left = 65;
  const body = new ReadableStream({
    pull: (controller): void => {
      left -= 1;
      if (left < 0) controller.close();
      else controller.enqueue(new Uint8Array(1_048_576).fill(0x20));
    },
  });
  const response = await fetch(`${simulator.url}get_status`, { method: "POST", headers: JSON_TYPE, body });
  deepStrictEqual([response.status, (await response.json()).retcode], [413, 1413]);
});

Deno.test("the adapter takes a body of several MiB", async () => {
  verifies("simulator-wire");
  await using simulator = await startSimulator();
  const words = ["x".repeat(5_000_000)];
  deepStrictEqual((await data(simulator, "translate_en2zh", { words })).words, [`译：${words[0]}`]);
});

Deno.test("the adapter knows aliases", async () => {
  verifies("simulator-wire");
  await using simulator = await startSimulator();
  strictEqual((await call(simulator, "nc_get_rkey")).retcode, 0);
});

Deno.test("a failed answer carries the echo", async () => {
  verifies("simulator-wire");
  await using simulator = await startSimulator();
  const unknown = await call(simulator, "no_such_action", { echo: "e" });
  deepStrictEqual([unknown.retcode, unknown.data, unknown.echo], [1404, null, "e"]);
  const invalid = await call(simulator, "get_msg", { echo: "e" });
  deepStrictEqual([invalid.retcode, invalid.data, invalid.echo], [1400, null, "e"]);
  strictEqual(invalid.wording, "message_id: is required");
});
