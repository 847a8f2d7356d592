import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createLog, type Fields, type Level } from "../../lib/log.ts";
import { Redactor } from "../../lib/redact.ts";
import { verifies } from "../requirements.ts";

const TOKEN = 'tok"TEST\\+/=1';

/** Texts that come from chats, bots and configurations at their worst. */
const HOSTILE = [
  "a\nerror: forged",
  "a\r\nb",
  "\x1b[31mred\x1b[0m",
  "zero\u200bwidth \u202egnp.exe \u2028line",
  "tags \u{e0041}\u{e0042}",
  'quo"te \\ back',
  "群 😀",
  "\0\x7f\x9b",
  "lone \ud800 surrogate",
];

function linesOf(form: "text" | "json", level: Level, message: string, fields?: Fields): string[] {
  const written: string[] = [];
  createLog(form, new Redactor([TOKEN]), (line) => written.push(line))(level, message, fields);
  return written;
}

Deno.test("createLog() writes one line per event in either form, whatever the message holds", () => {
  for (const form of ["text", "json"] as const) {
    for (const message of HOSTILE) {
      const [line = "", ...more] = linesOf(form, "warn", message, { name: message });
      strictEqual(more.length, 0);
      ok(line.endsWith("\n"));
      ok(!/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(line.slice(0, -1)), JSON.stringify(line));
    }
  }
});

Deno.test("createLog() in text gives level, message and fields", () => {
  deepStrictEqual(linesOf("text", "warn", "Slow answer", { ms: 5, tool: "query_action", ok: false }), [
    "warn: Slow answer ms=5 tool=query_action ok=false\n",
  ]);
  deepStrictEqual(linesOf("text", "warn", "Up"), ["warn: Up\n"]);
});

Deno.test("createLog() in json gives an object with time, level, message and fields", () => {
  const before = new Date().toISOString();
  const [line = ""] = linesOf("json", "error", "Broken", { kind: "internal", n: 1 });
  const { time, ...rest } = JSON.parse(line);
  deepStrictEqual(rest, { level: "error", message: "Broken", kind: "internal", n: 1 });
  ok(time >= before && time <= new Date().toISOString());
  deepStrictEqual(Object.keys(JSON.parse(line)).slice(0, 3), ["time", "level", "message"]);
});

Deno.test("createLog() in json gives back what went in", () => {
  for (const message of HOSTILE) {
    const [line = ""] = linesOf("json", "warn", message, { field: message });
    const parsed = JSON.parse(line);
    strictEqual(parsed.message, message);
    strictEqual(parsed.field, message);
  }
});

Deno.test("createLog() never writes the token, plain, encoded or escaped, wherever it came in", () => {
  verifies("no-token");
  const forms = [TOKEN, encodeURIComponent(TOKEN), JSON.stringify(TOKEN).slice(1, -1)];
  for (const form of ["text", "json"] as const) {
    for (const said of form === "text" ? forms : forms.slice(0, 2)) {
      const [line = ""] = linesOf(form, "error", `refused ${said}`, { value: said, [said]: 1 });
      for (const shown of forms) ok(!line.includes(shown), line);
      ok(line.includes("[redacted]"));
    }
  }
});

Deno.test("StderrLines and console write to standard error, and nothing to standard output", async () => {
  verifies("stdout-module");
  const module = new URL("../../lib/log.ts", import.meta.url).href;
  const redact = new URL("../../lib/redact.ts", import.meta.url).href;
  const script = `
    import { createLog, keepStdoutClean, StderrLines } from ${JSON.stringify(module)};
    import { Redactor } from ${JSON.stringify(redact)};
    keepStdoutClean();
    const lines = new StderrLines("text");
    createLog("text", new Redactor([]), lines.write)("warn", "by the log");
    await lines.drained();
    for (const method of Object.keys(console)) {
      if (typeof console[method] === "function" && !["assert", "profile", "profileEnd", "timeStamp"].includes(method)) {
        try { console[method](\`by \${method}\`); } catch {}
      }
    }`;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-check", `data:application/typescript,${encodeURIComponent(script)}`],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const said = new TextDecoder().decode(stderr);
  strictEqual(code, 0, said);
  strictEqual(new TextDecoder().decode(stdout), "");
  for (const line of ["warn: by the log", "by log", "by info", "by debug", "by dir", "by table", "by group"]) {
    ok(said.includes(`${line}\n`), said);
  }
});

Deno.test("StderrLines drops what nobody reads, counts it, and says so in its own form", async () => {
  verifies("bounded");
  const script = `
    import { MAX_WAITING_LOG_BYTES, StderrLines } from ${
    JSON.stringify(new URL("../../lib/log.ts", import.meta.url).href)
  };
    const lines = new StderrLines("json");
    const line = "x".repeat(MAX_WAITING_LOG_BYTES / 2 - 1) + "\\n";
    for (let i = 0; i < 6; i++) lines.write(line, "info"); // one is being written, two fit
    await lines.drained();
    Deno.stderr.writeSync(new TextEncoder().encode("drained\\n")); // told before anything else comes
    lines.write("last\\n", "info");
    await lines.drained();`;
  const { stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-check", `data:application/typescript,${encodeURIComponent(script)}`],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const said = new TextDecoder().decode(stderr).trimEnd().split("\n");
  strictEqual(said.length, 6, said.map((line) => line.slice(0, 80)).join("|"));
  const { level, lines } = JSON.parse(said[3] ?? "");
  strictEqual(`${level} ${lines}`, "warn 3");
  deepStrictEqual(said.slice(4), ["drained", "last"]);
});
