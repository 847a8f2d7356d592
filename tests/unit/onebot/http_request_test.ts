/** The head of the POST: exact bytes, and nothing in them that a value brought along. */
import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { requestHead } from "../../../lib/onebot/http_request.ts";
import { verifies } from "../../requirements.ts";
import { textOf } from "./response_support.ts";

interface Options {
  readonly url?: string;
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly length?: number;
}

function lines({ url = "http://127.0.0.1:3000/", token, headers = {}, length = 2 }: Options = {}): string[] {
  const text = textOf(requestHead({ url: new URL(url), token, headers, length }));
  strictEqual(text.slice(-4), "\r\n\r\n");
  return text.slice(0, -4).split("\r\n");
}

const OURS = [
  "accept-encoding: identity",
  "connection: close",
  "content-length: 2",
  "content-type: application/json",
];

Deno.test("requestHead() writes these lines, the host first and the token in one of them", () => {
  verifies("one-post", "trace-headers");
  deepStrictEqual(lines(), ["POST / HTTP/1.1", "host: 127.0.0.1:3000", ...OURS]);
  deepStrictEqual(
    lines({
      url: "https://bot.example/a/b",
      token: "tok_TEST+/=1",
      headers: { traceparent: "00-x" },
      length: 67_108_864,
    }),
    [
      "POST /a/b HTTP/1.1",
      "host: bot.example",
      "accept-encoding: identity",
      "authorization: Bearer tok_TEST+/=1",
      "connection: close",
      "content-length: 67108864",
      "content-type: application/json",
      "traceparent: 00-x",
    ],
  );
});

Deno.test("requestHead() names host and path as the address does", async (t) => {
  verifies("config-endpoint");
  const cases: Record<string, readonly [path: string, host: string]> = {
    "http://bot.example": ["/", "bot.example"],
    "http://bot.example:80/": ["/", "bot.example"],
    "https://bot.example:443/": ["/", "bot.example"],
    "https://bot.example:80/": ["/", "bot.example:80"],
    "http://[::1]:3000/api": ["/api", "[::1]:3000"],
    "http://BOT.example/A%2fb%20c/%E7%BE%A4": ["/A%2fb%20c/%E7%BE%A4", "bot.example"],
    "http://bot.example/群 1": ["/%E7%BE%A4%201", "bot.example"],
    "http://群.example/": ["/", "xn--zf4a.example"],
    "http://bot.example/a/../b//c/.": ["/b//c/", "bot.example"],
  };
  for (const [url, [path, host]] of Object.entries(cases)) {
    await t.step(url, () => {
      deepStrictEqual(lines({ url }), [`POST ${path} HTTP/1.1`, `host: ${new URL(url).host}`, ...OURS]);
      if (!url.includes("群.")) strictEqual(new URL(url).host, host);
    });
  }
});

Deno.test("requestHead() refuses values that would begin another line", async (t) => {
  verifies("one-post", "no-token");
  for (const bad of ["a\r\nx: y", "a\nx: y", "a\rx: y", "a\0b", "a\r\n\r\nGET / HTTP/1.1"]) {
    await t.step(JSON.stringify(bad), () => {
      throws(() => lines({ headers: { traceparent: bad } }), TypeError);
      throws(() => lines({ headers: { [bad]: "a" } }), TypeError);
      throws(() => lines({ token: bad }), TypeError);
    });
  }
  for (const name of ["", "a b", "a:b", "群"]) throws(() => lines({ headers: { [name]: "a" } }), TypeError, name);
  throws(() => lines({ headers: { tracestate: "群" } }), TypeError);
  await t.step("line ends around a value fall away", () => {
    deepStrictEqual(lines({ headers: { a: "\r\n b\r\n" } }), [
      "POST / HTTP/1.1",
      "host: 127.0.0.1:3000",
      "a: b",
      ...OURS,
    ]);
  });
});

Deno.test("requestHead() lets the caller's headers change none of its own", () => {
  verifies("one-post", "no-token");
  const names = ["Host", "HOST", "Authorization", "authorization", "Content-Length", "Transfer-Encoding", "Connection"];
  const headers = Object.fromEntries([...names, "Accept-Encoding", "CONTENT-TYPE"].map((name) => [name, "evil"]));
  deepStrictEqual(lines({ headers }), ["POST / HTTP/1.1", "host: 127.0.0.1:3000", ...OURS]);
  const withToken = lines({ headers, token: "tok" });
  deepStrictEqual(withToken.filter((line) => /^(host|authorization)/i.test(line)), [
    "host: 127.0.0.1:3000",
    "authorization: Bearer tok",
  ]);
});

Deno.test("requestHead() writes one byte for each character of a value", () => {
  const head = requestHead({ url: new URL("http://a/"), token: undefined, headers: { a: "\xe4\xff" }, length: 0 });
  strictEqual(textOf(head).includes("a: \xe4\xff\r\n"), true);
});
