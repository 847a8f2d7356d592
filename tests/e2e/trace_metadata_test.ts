/** Metadata that is no trace context, or is hostile: it breaks no call, and reaches neither bot nor log. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { KINDS, passedOn } from "./exec_support.ts";
import { ERAS, logOf, parentOf, partsOf } from "./trace_support.ts";

const STATE = "vendor=a:b,tenant@system=c d";
const PARENT = parentOf(0xfeed);
const VALID = `"traceparent":"${PARENT}"`;
const LONGEST = `a=${"v".repeat(256)},b=${"v".repeat(251)}`;
const MANY = Array.from({ length: 32 }, (_, index) => `k${index}=v`).join(",");

/** Metadata as JSON text, and what of it is used; `no state` and `none` are to be told the operator. */
const METADATA: ReadonlyArray<[fields: string, used: "all" | "parent" | "no state" | "none" | "nothing given"]> = [
  [VALID, "parent"],
  [`${VALID},"tracestate":""`, "parent"],
  [`${VALID},"tracestate":${JSON.stringify(STATE)}`, "all"],
  [`${VALID},"tracestate":"${LONGEST}"`, "all"],
  [`${VALID},"tracestate":"${MANY}"`, "all"],
  [`${VALID},"tracestate":"${LONGEST}v"`, "no state"],
  [`${VALID},"tracestate":"${MANY},k32=v"`, "no state"],
  [`${VALID},"tracestate":"HOSTILE=\\r\\nx-forged: 1"`, "no state"],
  [`${VALID},"tracestate":"HOSTILE"`, "no state"],
  [`${VALID},"tracestate":{"HOSTILE":1}`, "no state"],
  [`${VALID},"tracestate":["hostile=HOSTILE"]`, "no state"],
  [`${VALID},"tracestate":"hostile=${"HOSTILE".repeat(100_000)}"`, "no state"],
  [`"tracestate":"hostile=HOSTILE"`, "none"],
  [`"traceparent":5`, "none"],
  [`"traceparent":null`, "none"],
  [`"traceparent":12345678901234567890123`, "none"],
  [`"traceparent":["${PARENT}"]`, "none"],
  [`"traceparent":{"toString":"HOSTILE"}`, "none"],
  [`"traceparent":"HOSTILE\\n${PARENT}"`, "none"],
  [`"traceparent":"${PARENT}\\r\\nx-forged: HOSTILE"`, "none"],
  [`"traceparent":"${PARENT.toUpperCase()}"`, "none"],
  [`"traceparent":"${"HOSTILE".repeat(100_000)}","tracestate":"hostile=HOSTILE"`, "none"],
  [`"__proto__":{${VALID},"tracestate":"hostile=HOSTILE"}`, "nothing given"],
  [`"baggage":"hostile=HOSTILE\\n","HOSTILE":{"HOSTILE":[1e400]}`, "nothing given"],
];

for (const [era, { start, meta }] of Object.entries(ERAS)) {
  Deno.test(`invalid trace metadata gives one fixed diagnostic, and the call goes on (${era})`, async (t) => {
    verifies("trace-invalid", "trace-new", "trace-state", "bad-arguments", "eras-equal");
    await using simulator = await startSimulator();
    await using server = await start({ env: { SNOWLUMA_MCP_ENDPOINT: simulator.url } });
    let invalid = 0;
    for (const [index, [fields, used]] of METADATA.entries()) {
      await t.step(`${index}: ${fields.slice(0, 80)}`, async () => {
        const call = { name: KINDS.read.tool, arguments: KINDS.read.args, _meta: meta };
        const line = JSON.stringify({ jsonrpc: "2.0", id: index, method: "tools/call", params: call });
        const before = simulator.requests.length;
        // as text: no object literal can have a field of the name __proto__
        await server.send(`${line.replace('"_meta":{', `"_meta":{${fields}${era === "modern" ? "," : ""}`)}\n`);
        const answer = await server.receive(({ id }) => id === index);
        strictEqual(passedOn(answer).diagnostics.outcome, "success");
        const { traceparent } = answer.result._meta;
        const kept = partsOf(traceparent).traceId === partsOf(PARENT).traceId;
        strictEqual(kept, used !== "none" && used !== "nothing given", "whether the trace was kept");
        const [request, ...more] = simulator.requests.slice(before);
        deepStrictEqual([request?.headers["traceparent"], more.length], [traceparent, 0]);
        strictEqual("tracestate" in (request?.headers ?? {}), used === "all");
        ok(!JSON.stringify(request).includes("HOSTILE"), "it reaches the bot");
        if (used === "none" || used === "no state") invalid++;
      });
    }
    const lines = await logOf(server);
    ok(!/HOSTILE|vendor/.test(lines.join("\n")), "it reaches the log");
    const diagnostics = lines.filter((line) => line.startsWith("warn"));
    const others = lines.filter((line) => !line.startsWith("warn"));
    deepStrictEqual(diagnostics, Array(invalid).fill("warn: Invalid trace metadata was ignored"));
    strictEqual(others.length, METADATA.length);
    for (const line of others) match(line, /^info: call tool=query_action /);
  });
}
