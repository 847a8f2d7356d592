/** What the bot says instead of a file: by a failed frame, or by an ordinary answer. */
import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { basename, dirname } from "node:path";
import { verifies } from "../requirements.ts";
import { httpAnswer, type RawScript } from "../support/raw_bot.ts";
import { failureOf } from "./exec_support.ts";
import {
  chunk,
  CHUNKED,
  DOWNLOAD,
  failedFrame,
  file,
  GENERIC,
  GOOD,
  names,
  okFrame,
  type Sent,
  stays,
  StreamRig,
  streams,
  wire,
} from "./stream_support.ts";

const [INFO, HELLO] = [file.info(5), file.chunk(0, "hello")];

Deno.test("a failed frame is an error that carries the bot's wording, at any point", async (t) => {
  verifies("stream-refused", "download-part", "no-invented-cause");
  await using rig = await StreamRig.start();
  const failed = failedFrame("文件 not found", 100);
  const says = /^download_file_stream failed: retcode 100, "文件 not found"$/;
  const cases: Record<string, string> = {
    "at first": wire(failed),
    "after file_info": wire(INFO, failed),
    "after a chunk": wire(INFO, HELLO, failed),
    "with the reason in message alone": wire({ ...failed, wording: undefined }),
    "with null as data": wire({ ...failed, data: null }),
    "with something after it": wire(failed, INFO),
  };
  for (const [name, body] of Object.entries(cases)) {
    await t.step(name, () => rig.fails(stays(CHUNKED, chunk(body)), "action_failed", says));
  }
  await t.step("refused parameters", () => {
    return rig.fails(streams(wire(failedFrame("file: bad", 1400))), "action_failed", /retcode 1400, "file: bad"$/);
  });
  await t.step("in a stream without a file", () => {
    const body = wire(okFrame({ type: "stream", data: "x" }), failedFrame("no more"));
    return rig.fails(streams(body), "action_failed", /^test_download_stream failed: retcode 100, "no more"$/, GENERIC);
  });
});

Deno.test("an ordinary answer is told as the refusal it is, or as no stream", async (t) => {
  verifies("stream-ordinary", "auth");
  await using rig = await StreamRig.start();
  const envelope = (fields: object): string => JSON.stringify({ status: "failed", data: null, ...fields });
  const unknown = envelope({ retcode: 1404, wording: "no such action" });
  const denied = envelope({ retcode: 1401, wording: "bad token" });
  const page = "<html>\r\n\r\n<p>login</p>\r\n\r\n</html>";
  const answer = (body: string, status: string): RawScript => stays(httpAnswer(body, { status }));
  const noStream = /\(HTTP \d+\) is no stream of frames$/;
  const cases: Record<string, readonly [script: RawScript, kind: string, says: RegExp]> = {
    "an unknown action": [answer(unknown, "200 OK"), "action_failed", /failed: retcode 1404, "no such action"$/],
    "the same in pieces": [streams(unknown), "action_failed", /failed: retcode 1404, "no such action"$/],
    "a refused token": [answer(denied, "401 Unauthorized"), "auth", /refused .*: retcode 1401, "bad token"$/],
    "a refused token, HTTP 200": [answer(denied, "200 OK"), "auth", /refused .*: retcode 1401, "bad token"$/],
    "a login page": [answer(page, "401 Unauthorized"), "auth", /the bot answered HTTP 401$/],
    "nothing, HTTP 403": [answer("", "403 Forbidden"), "auth", /the bot answered HTTP 403$/],
    "an old bot's trouble": [answer(envelope({ retcode: 1200 }), "500 Oops"), "action_failed", /retcode 1200$/],
    "a gateway's page": [answer(page, "502 Bad Gateway"), "invalid_answer", noStream],
    "good frames, HTTP 500": [answer(wire(INFO, HELLO, file.complete(1, 5)), "500 Oops"), "invalid_answer", noStream],
    "an ordinary success": [answer('{"status":"ok","retcode":0,"data":{}}', "200 OK"), "invalid_answer", noStream],
    "a redirect": [
      stays("HTTP/1.1 302 Found\r\nlocation: /x\r\ncontent-length: 0\r\n\r\n"),
      "invalid_answer",
      noStream,
    ],
  };
  for (const [name, [script, kind, says]] of Object.entries(cases)) {
    await t.step(name, () => rig.fails(script, kind, says));
  }
});

Deno.test("a huge wording is cut, a huge last frame refused", async () => {
  verifies("stream-refused", "bounded");
  await using rig = await StreamRig.start();
  const answer = await rig.call(streams(wire(INFO, failedFrame("群".repeat(1_000_000)))));
  const { message } = failureOf(answer);
  strictEqual(message, `download_file_stream failed: retcode 100, "${"群".repeat(500)}…"`);
  ok(JSON.stringify(answer).length < 3_000);
  const huge = file.complete(1, 5, { message: "x".repeat(1_000_000) });
  await rig.fails(streams(wire(INFO, HELLO, huge)), "too_large", /the last frame has more than 65536 characters$/);
});

Deno.test("frames that are nested out of reach break nothing", async () => {
  verifies("bounded", "stream-refused", "download-part");
  await using rig = await StreamRig.start({ token: "tok_SECRET+/=1", timeoutMs: 5_000 }); // what has no token is not searched
  const deep = (...frames: readonly Sent[]): RawScript =>
    streams(wire(...frames).replace('"DEEP"', "[".repeat(10_000) + "]".repeat(10_000)));
  const last = file.complete(1, 5, { later: "DEEP" });
  await rig.fails(deep(INFO, HELLO, last), "too_large", /the last frame has more than 32 levels$/);
  await rig.fails(deep({ ...failedFrame("no"), data: "DEEP" }), "action_failed", /retcode 100, "no"$/);
  await rig.succeeds(deep(INFO, file.chunk(0, "hello", { later: "DEEP" }), file.complete(1, 5)), "hello");
  await rig.fails(
    deep(okFrame({ type: "response", later: "DEEP" })),
    "invalid_answer",
    /a frame is not JSON$/,
    GENERIC,
  );
});

Deno.test("a token that the bot echoes is masked wherever it stands", async (t) => {
  verifies("no-token", "download-name");
  const token = "tok_SECRET+/=1";
  const spellings = [token, btoa(`Bearer ${token}`), encodeURIComponent(token)];
  await using rig = await StreamRig.start({ token, timeoutMs: 5_000 });
  await t.step("in a wording, also across its cut", async () => {
    for (const spelling of spellings) {
      for (const before of ["", "x".repeat(490)]) {
        const { message } = failureOf(await rig.call(streams(wire(failedFrame(before + spelling)))));
        match(message, /\[redacted\]|x…/);
      }
    }
  });
  await t.step("in a name and the last frame", async () => {
    const body = wire(
      file.info(5, { file_name: `my ${token}.bin` }),
      HELLO,
      file.complete(1, 5, { message: spellings.join(" "), [token]: [{ deep: token }], file_name: token }),
    );
    const { file_path, terminal } = await rig.succeeds(streams(body), "hello");
    match(file_path, /my \[redacted\]\.bin$/);
    deepStrictEqual([terminal.file_name, terminal["[redacted]"]], ["[redacted]", [{ deep: "[redacted]" }]]);
  });
  await t.step("in a stream without a file", async () => {
    const data = { data_type: "data_chunk", data: token };
    const body = wire(okFrame({ type: "stream", ...data }), okFrame({ type: "response", ...data, [token]: 1 }));
    const { structuredContent: { result } } = (await rig.call(streams(body), GENERIC)).result;
    deepStrictEqual(result.frames, [{ type: "stream", ...data, data: "[redacted]" }]);
  });
  await rig.call(streams(wire(INFO)), DOWNLOAD);
  await rig.server.closeInput();
  strictEqual((await rig.server.exit()).code, 0);
  const everything = rig.server.lines.join("\n") + await rig.server.stderr;
  for (const spelling of spellings) ok(!everything.includes(spelling), "the token is out");
  doesNotMatch(everything, /tok_|SECRET/);
});

/** Names that hold a token only after they were cleaned, or would hold half of one. */
const HIDDEN: ReadonlyArray<
  readonly [token: string, hints: Readonly<Record<string, string>>, parts: readonly string[]]
> = [
  ["tok_SECRET-QWXYZ", {
    "a zero width space within": "my tok_SEC\u200bRET-QWXYZ.bin",
    "a mark of direction within": "my \u202etok_\u2066SECRET-QWXYZ.bin",
    "a colon for its line": "my tok:SECRET-QWXYZ.bin",
    "a control character for its line": "my tok\u0001SECRET-QWXYZ.bin",
    "both": "my tok?SEC\u200bRET\u200d-QWXYZ.bin",
    "a dot before it": "dir/.tok:SECRET-QWXYZ",
    "a zero width space within, where the length cuts": `${"x".repeat(186)}tok_\u200bSECRET-QWXYZ.bin`,
    "a colon for its line, where the length cuts": `${"x".repeat(186)}tok:SECRET-QWXYZ.bin`,
  }, ["tok_", "SECRET", "QWXYZ"]],
  ["tok_SEC/RET-QWXYZ", {
    "it whole, cut by its slash": "my tok_SEC/RET-QWXYZ.bin",
    "a zero width space within, cut by its slash": "my tok_S\u200bEC/RET-QWXYZ.bin",
    "it whole, twice": "tok_SEC/RET-QWXYZ/tok_SEC/RET-QWXYZ",
  }, ["tok_", "SEC", "RET", "QWXYZ"]],
];

for (const [token, hints, parts] of HIDDEN) {
  Deno.test(`the token ${token} is in no file name, also where cleaning brings it together`, async (t) => {
    verifies("no-token", "download-name");
    await using rig = await StreamRig.start({ token, timeoutMs: 5_000 });
    for (const [how, file_name] of Object.entries(hints)) {
      await t.step(how, async () => {
        const script = streams(GOOD.replace('"a.bin"', JSON.stringify(file_name)));
        const { structuredContent: { result } } = (await rig.call(script)).result;
        const [name = ""] = names(rig.folder);
        deepStrictEqual([dirname(result.file_path), basename(result.file_path)], [rig.folder, name]);
        match(name, /\[redacted\]/);
        for (const part of parts) ok(!name.includes(part), name);
        await Deno.remove(result.file_path);
      });
    }
    await rig.server.closeInput();
    strictEqual((await rig.server.exit()).code, 0);
    const everything = rig.server.lines.join("\n") + await rig.server.stderr;
    for (const part of parts) ok(!everything.includes(part), "a part of the token is out");
  });
}
