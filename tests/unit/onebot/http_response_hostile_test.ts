/** What is not HTTP/1.1, or is too much of it: refused at once, in bounded memory, never taken for an answer. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { MAX_CHUNK_LINE_BYTES, MAX_HEAD_BYTES } from "../../../lib/onebot/http_response.ts";
import { verifies } from "../../requirements.ts";
import { cutAt, latin1, read, readEachWay, type Reading } from "./response_support.ts";

const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
const withFields = (...fields: string[]): string => ["HTTP/1.1 200 OK", ...fields, "", "hi"].join("\r\n");

Deno.test("ResponseReader refuses what does not begin with a status line", async (t) => {
  verifies("bad-answers");
  const cases: Record<string, string> = {
    "another protocol": "220 mail.example ESMTP\r\n",
    "another protocol that ends no line": "SSH-2.0-x",
    "one byte": "\x15",
    "a TLS alert": "\x15\x03\x03\0\x02\x02\x46",
    "HTTP/2 frames": "\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x64",
    "HTTP/2's preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a body alone, as in HTTP/0.9": '{"status":"ok","retcode":0}',
    "a request": "GET / HTTP/1.1\r\n\r\n",
    "an empty line first": "\r\nHTTP/1.1 200 OK\r\n\r\n",
    "lower case": "http/1.1 200 OK\r\n\r\n",
    "another version": "HTTP/2.0 200 OK\r\n\r\n",
    "another minor version": "HTTP/1.2 200 OK\r\n\r\n",
    "no version": "HTTP/ 200 OK\r\n\r\n",
    "no status": "HTTP/1.1\r\n\r\n",
    "status 0": "HTTP/1.1 0 No\r\n\r\n",
    "status 000": "HTTP/1.1 000 No\r\n\r\n",
    "status 099": "HTTP/1.1 099 No\r\n\r\n",
    "status 600": "HTTP/1.1 600 No\r\n\r\n",
    "status 1000": "HTTP/1.1 1000 No\r\n\r\n",
    "status -200": "HTTP/1.1 -200 No\r\n\r\n",
    "status 2e2": "HTTP/1.1 2e2 No\r\n\r\n",
    "two spaces": "HTTP/1.1  200 OK\r\n\r\n",
    "a tab": "HTTP/1.1\t200 OK\r\n\r\n",
    "a status after an interim answer": "HTTP/1.1 100 Continue\r\n\r\n{}",
  };
  for (const [name, text] of Object.entries(cases)) {
    await t.step(name, async () => {
      deepStrictEqual(await readEachWay(text), { body: "", kind: "garbled", message: "no HTTP/1.1 status line" });
    });
  }
  await t.step("nothing, and beginnings, are cut instead", async () => {
    for (const text of ["", "H", "HTTP", "HTTP/", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n"]) {
      strictEqual((await readEachWay(text)).kind, "cut", text);
    }
  });
  await t.step("what is no HTTP is told without another byte", async () => {
    function* pieces(): Generator<Uint8Array> {
      yield latin1("HT");
      yield latin1("ML");
      throw new Error("asked for more");
    }
    strictEqual((await read(pieces())).kind, "garbled");
  });
});

Deno.test("ResponseReader refuses header fields that could be read in two ways", async (t) => {
  verifies("bad-answers");
  const [unclear, nameless] = ["the length of the body is unclear", "a header field has no name"];
  const controls = "its headers hold control characters";
  const cases: Record<string, readonly [text: string, message: string]> = {
    "a length and chunks": [withFields("content-length: 2", "transfer-encoding: chunked"), unclear],
    "chunks and a length": [withFields("transfer-encoding: chunked", "content-length: 2"), unclear],
    "two lengths": [withFields("content-length: 2", "content-length: 3"), unclear],
    "two lengths in a list": [withFields("content-length: 2, 3"), unclear],
    "a list with nothing in it": [withFields("content-length: 2,"), unclear],
    "an empty length": [withFields("content-length:"), unclear],
    "a negative length": [withFields("content-length: -2"), unclear],
    "a length with a sign": [withFields("content-length: +2"), unclear],
    "a hexadecimal length": [withFields("content-length: 0x2"), unclear],
    "a length with a fraction": [withFields("content-length: 2.0"), unclear],
    "a length beyond all bounds": [withFields("content-length: 9999999999999999"), unclear],
    "gzip, chunked": [withFields("transfer-encoding: gzip, chunked"), unclear],
    "chunked, gzip": [withFields("transfer-encoding: chunked, gzip"), unclear],
    "chunked twice": [withFields("transfer-encoding: chunked", "transfer-encoding: chunked"), unclear],
    "chunked with a parameter": [withFields("transfer-encoding: chunked;q=1"), unclear],
    "identity": [withFields("transfer-encoding: identity"), unclear],
    "an empty encoding": [withFields("transfer-encoding:"), unclear],
    "a folded line": [withFields("x: a", " b"), nameless],
    "a length in a folded line": [withFields("x: a", "\tcontent-length: 2"), nameless],
    "a folded line first": [withFields(" x: a"), nameless],
    "no colon": [withFields("content-length 2"), nameless],
    "a space before the colon": [withFields("content-length : 2"), nameless],
    "a tab before the colon": [withFields("transfer-encoding\t: chunked"), nameless],
    "an empty name": [withFields(": 2"), nameless],
    "a name with a bracket": [withFields("content[length]: 2"), nameless],
    "a name beyond ASCII": [withFields("l\xe4nge: 2"), nameless],
    "a zero in a name": [withFields("content-\0length: 2"), controls],
    "a zero in a value": [withFields("content-length: 2\0"), controls],
    "a zero in the reason": ["HTTP/1.1 200 O\0K\r\n\r\n", controls],
    "a bare CR in a value": [withFields("x: a\rcontent-length: 2"), controls],
    "a bare CR in the reason": ["HTTP/1.1 200 OK\rcontent-length: 2\r\n\r\nhi", controls],
    "CR twice before LF": [withFields("content-length: 2\r"), controls],
    "a bad field in an interim answer": ["HTTP/1.1 100 Continue\r\nbad\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", nameless],
    "a bad field where there is no body": ["HTTP/1.1 204 No Content\r\nbad\r\n\r\n", nameless],
    "another protocol": ["HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\n\r\n", "HTTP 101"],
  };
  for (const [name, [text, message]] of Object.entries(cases)) {
    await t.step(name, async () => {
      deepStrictEqual(await readEachWay(text), { body: "", kind: "garbled", message });
    });
  }
});

Deno.test("ResponseReader refuses chunks that are none", async (t) => {
  verifies("bad-answers");
  const sizes = [
    "-5",
    "+5",
    "0x5",
    "",
    " 5",
    "5 5",
    "g",
    "5g",
    ";a",
    "5.",
    "\t",
    "\xb2",
    "1".repeat(13),
    "0".repeat(17),
  ];
  for (const size of [...sizes, "fffffffffffffffff"]) {
    await t.step(`size ${JSON.stringify(size)}`, async () => {
      const expected = { status: 200, body: "hi", kind: "garbled", message: "no chunk size" } as const;
      deepStrictEqual(await readEachWay(`${CHUNKED}2\r\nhi\r\n${size}\r\nhello\r\n0\r\n\r\n`), expected);
    });
  }
  const cases: Record<string, readonly [rest: string, expected: Reading]> = {
    "no line end after a chunk": ["2\r\nhi0\r\n\r\n", { body: "hi", kind: "garbled", message: "a chunk has no end" }],
    "more than was announced": ["2\r\nhi!\r\n0\r\n\r\n", {
      body: "hi",
      kind: "garbled",
      message: "a chunk has no end",
    }],
    "less than was announced": ["9\r\nhi\r\n0\r\n\r\n", { body: "hi\r\n0\r\n\r\n", kind: "cut" }],
    "a size beyond all bounds": [`${(1e12).toString(16)}\r\nhi`, { body: "hi", kind: "cut" }],
    "a trailer that is no field": ["0\r\nhi\r\n\r\n", {
      body: "",
      kind: "garbled",
      message: "a header field has no name",
    }],
    "a zero in an extension": ["2;\0\r\nhi", {
      body: "",
      kind: "garbled",
      message: "its headers hold control characters",
    }],
    "a bare CR as line end": ["2\rhi\r\n0\r\n\r\n", {
      body: "",
      kind: "garbled",
      message: "its headers hold control characters",
    }],
    "no end after the last one": ["0\r\n", { body: "", kind: "cut" }],
  };
  for (const [name, [rest, expected]] of Object.entries(cases)) {
    await t.step(name, async () => {
      const message = expected.message ?? "the connection ended early";
      deepStrictEqual(await readEachWay(CHUNKED + rest), { status: 200, ...expected, message });
    });
  }
});

Deno.test("ResponseReader takes headers up to their bound and not a byte more", async (t) => {
  verifies("bad-answers", "bounded");
  strictEqual(MAX_HEAD_BYTES, 65_536);
  strictEqual(MAX_CHUNK_LINE_BYTES, 4_096);
  const fill = (before: string, after: string, length: number): string =>
    before + "x".repeat(length - before.length - after.length) + after;
  const cases: Record<string, (extra: number) => string> = {
    "a status line": (extra) => fill("HTTP/1.1 200 ", "\r\n\r\n", MAX_HEAD_BYTES + extra) + "hi",
    "a field": (extra) => fill("HTTP/1.1 200\r\nx: ", "\r\n\r\n", MAX_HEAD_BYTES + extra) + "hi",
    "many fields, LF alone": (extra) =>
      fill(`HTTP/1.1 200\n${"a:\n".repeat(20_000)}x:`, "\n\n", MAX_HEAD_BYTES + extra) + "hi",
    "a field after an interim answer as long": (extra) =>
      fill("HTTP/1.1 100\r\nx: ", "\r\n\r\n", MAX_HEAD_BYTES) +
      fill("HTTP/1.1 200\r\nx: ", "\r\n\r\n", MAX_HEAD_BYTES + extra) + "hi",
    "an interim answer": (extra) =>
      fill("HTTP/1.1 100\r\nx: ", "\r\n\r\n", MAX_HEAD_BYTES + extra) + "HTTP/1.1 200\r\n\r\nhi",
    "the first size": (extra) => CHUNKED + fill("2;", "\r\n", MAX_CHUNK_LINE_BYTES + extra) + "hi\r\n0\r\n\r\n",
    "a chunk's end and the next size": (extra) =>
      `${CHUNKED}1\r\nh` + fill("\r\n1;", "\r\n", MAX_CHUNK_LINE_BYTES + extra) + "i\r\n0\r\n\r\n",
    "the last size and its trailers": (extra) =>
      `${CHUNKED}2\r\nhi` + fill("\r\n0;a\r\nx: y\r\nz: ", "\r\n\r\n", MAX_CHUNK_LINE_BYTES + extra),
    "many trailers": (extra) =>
      `${CHUNKED}2\r\nhi` + fill(`\r\n0\r\n${"a:\n".repeat(1_000)}z:`, "\n\n", MAX_CHUNK_LINE_BYTES + extra),
  };
  for (const [name, build] of Object.entries(cases)) {
    await t.step(name, async () => {
      const bytes = latin1(build(0));
      deepStrictEqual(await readEachWay(build(0)), { status: 200, body: "hi" });
      const cuts = Array.from({ length: Math.floor(bytes.length / 997) }, (_, i) => (i + 1) * 997);
      deepStrictEqual(await read(cutAt(bytes, cuts)), { status: 200, body: "hi" });
      const { kind, message } = await readEachWay(build(1));
      deepStrictEqual([kind, message], ["garbled", "its headers are too long"]);
    });
  }
});

Deno.test("ResponseReader reads no further than its bound in headers without end", async (t) => {
  verifies("bad-answers", "bounded");
  const cases: Record<string, readonly [first: string, piece: string, bound: number]> = {
    "a status line": ["HTTP/1.1 200 ", "x".repeat(1_000), MAX_HEAD_BYTES],
    "a field": ["HTTP/1.1 200 OK\r\nx: ", "x".repeat(1_000), MAX_HEAD_BYTES],
    "fields": ["HTTP/1.1 200 OK\r\n", "x: y\r\n".repeat(200), MAX_HEAD_BYTES],
    "a size": [`${CHUNKED}2;`, "x".repeat(1_000), MAX_CHUNK_LINE_BYTES],
    "leading zeros": [CHUNKED, "0".repeat(1_000), MAX_CHUNK_LINE_BYTES],
    "trailers": [`${CHUNKED}0\r\n`, "x: y\r\n".repeat(200), MAX_CHUNK_LINE_BYTES],
  };
  for (const [name, [first, piece, bound]] of Object.entries(cases)) {
    await t.step(name, async () => {
      let given = 0;
      function* endless(): Generator<Uint8Array> {
        yield latin1(first);
        for (;; given += piece.length) yield latin1(piece);
      }
      const { kind, message } = await read(endless());
      deepStrictEqual([kind, message], ["garbled", "its headers are too long"]);
      ok(given <= bound + piece.length, `${given} bytes were taken`);
    });
  }
});
