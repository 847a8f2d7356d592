/** Answers as HTTP allows them: what was encoded is what is read, however the network cuts it. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ResponseReader } from "../../../lib/onebot/http_response.ts";
import { verifies } from "../../requirements.ts";
import { between, seeded } from "../support.ts";
import { connection, cutAt, latin1, read, readEachWay, type Reading, textOf } from "./response_support.ts";

interface Answer {
  readonly text: string;
  readonly status: number;
  readonly body: string;
  /** Where the head ends, if the end of the connection ends the body. */
  readonly openFrom?: number;
}

type Random = () => number;

function pick<T>(random: Random, list: readonly T[]): T {
  return list[between(random, 0, list.length - 1)] as T;
}

/** Any bytes, with line ends and zeros among them. */
function bytesOf(random: Random, length: number): string {
  const few = "\r\n\0" + "0;:";
  return Array.from({ length }, () => random() < 0.3 ? pick(random, [...few]) : String.fromCharCode(random() * 128))
    .join("");
}

function shuffleCase(random: Random, name: string): string {
  return pick(random, [name, name.toUpperCase(), name.replace(/\b./g, (char) => char.toUpperCase())]);
}

/** Encodes a body by chunks, with extensions and trailers now and then. */
function chunked(random: Random, body: string, eol: string): string {
  const parts: string[] = [];
  for (let at = 0; at < body.length;) {
    const size = between(random, 1, pick(random, [1, 17, 5_000, 70_000]));
    const part = body.slice(at, at += size);
    const digits = pick(random, [part.length.toString(16), part.length.toString(16).toUpperCase().padStart(8, "0")]);
    parts.push(digits, pick(random, ["", " ", ";a", ' ;a="b;c"', "\t;a=1;b"]), eol, part, eol);
  }
  const trailers = pick(random, ["", `x-sum: 1${eol}`, `A:${eol}b:\t${eol}`]);
  return `${parts.join("")}${pick(random, ["0", "000", "0;last"])}${eol}${trailers}${eol}`;
}

/** An answer in any of the three framings. */
function encode(random: Random, bodyLength: number): Answer {
  const eol = pick(random, ["\r\n", "\r\n", "\n"]);
  const status = pick(random, [200, 201, 400, 404, 500, 599]);
  const body = bytesOf(random, bodyLength);
  const interim = pick(random, ["", "", "HTTP/1.1 100 Continue\r\n\r\n", `HTTP/1.1 103 E${eol}link: </a>${eol}${eol}`]);
  const version = pick(random, ["HTTP/1.1", "HTTP/1.1", "HTTP/1.0"]);
  const line = `${version} ${status}${pick(random, [" OK", " ", "", " I'm a \xfcber teapot"])}`;
  const other = pick(random, [[], ["server: x"], ["x-empty:", "date:\tMon, 30 Nov 2026 00:00:00 GMT  "]]);
  const framing = pick(random, ["length", "chunked", "close"] as const);
  const space = pick(random, ["", " ", "\t "]);
  const own = framing === "length"
    ? [`${shuffleCase(random, "content-length")}:${space}${pick(random, ["", "000"])}${body.length}`]
    : framing === "chunked"
    ? [`${shuffleCase(random, "transfer-encoding")}:${space}${shuffleCase(random, "chunked")}`]
    : [];
  const head = interim + [line, ...other, ...own, "", ""].join(eol);
  const text = head + (framing === "chunked" ? chunked(random, body, eol) : body);
  return { text, status, body, ...(framing === "close" && { openFrom: head.length }) };
}

Deno.test("ResponseReader reads small answers the same wherever they are cut, and tells where they end", async (t) => {
  verifies("bad-answers", "passed-through");
  for (let seed = 1; seed <= 40; seed++) {
    await t.step(`seed ${seed}`, async () => {
      const random = seeded(seed);
      const { text, status, body, openFrom = Infinity } = encode(random, between(random, 0, 40));
      const bytes = latin1(text);
      deepStrictEqual(await read(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))), { status, body });
      for (let at = 0; at <= bytes.length; at++) {
        const where = `${JSON.stringify(text)} at ${at}`;
        deepStrictEqual(await read(cutAt(bytes, [at])), { status, body }, where);
        const ended = await read([bytes.subarray(0, at)]);
        if (at === bytes.length || at >= openFrom) {
          deepStrictEqual(ended, { status, body: body.slice(0, body.length - (bytes.length - at)) }, where);
        } else {
          strictEqual(ended.kind, "cut", where);
          ok(body.startsWith(ended.body), where);
        }
      }
    });
  }
});

Deno.test("ResponseReader reads large answers the same under random cuts", async (t) => {
  verifies("bad-answers", "passed-through");
  for (let seed = 101; seed <= 130; seed++) {
    await t.step(`seed ${seed}`, async () => {
      const random = seeded(seed);
      const { text, status, body } = encode(random, between(random, 0, 200_000));
      const bytes = latin1(text);
      const longest = pick(random, [700, 5_000, 65_536, 300_000]);
      const cuts: number[] = [];
      for (let at = 0; (at += between(random, 0, 2 * longest)) < bytes.length;) cuts.push(at);
      ok(same(await read(cutAt(bytes, cuts)), { status, body }));
    });
  }
});

/** Compares without printing bodies of this length. */
function same(a: Reading, b: Reading): boolean {
  return a.status === b.status && a.kind === b.kind && a.body === b.body;
}

Deno.test("ResponseReader takes what real servers send", async (t) => {
  const cases: Record<string, [text: string, expected: Reading]> = {
    "no body with 204, though a length is claimed": ["HTTP/1.1 204 No\r\ncontent-length: 5\r\n\r\nhello", {
      status: 204,
      body: "",
    }],
    "no body with 304, though chunks are claimed": [
      "HTTP/1.1 304 Not Modified\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
      { status: 304, body: "" },
    ],
    "no body with 204 and no length": ["HTTP/1.1 204\r\n\r\nhello", { status: 204, body: "" }],
    "the same length twice": ["HTTP/1.1 200 OK\r\ncontent-length: 2, 2\r\nContent-Length: 2\r\n\r\nhi", {
      status: 200,
      body: "hi",
    }],
    "bytes after a body of known length, which are not its": ["HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi, you", {
      status: 200,
      body: "hi",
    }],
    "bytes after the last chunk, which are not its": [
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\nHTTP/1.1 500 No\r\n\r\n",
      { status: 200, body: "hi" },
    ],
    "many interim answers": ["HTTP/1.1 102 Processing\r\nx: y\r\n\r\n".repeat(5_000) + "HTTP/1.1 200\r\n\r\nhi", {
      status: 200,
      body: "hi",
    }],
    "a length in an interim answer": [
      "HTTP/1.1 103 Early\r\ncontent-length: 9\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi",
      { status: 200, body: "hi" },
    ],
    "a chunk that ends with CR, then LF": [
      "HTTP/1.1 200 OK\ntransfer-encoding: chunked\n\n1\n\r\n0\n\n",
      { status: 200, body: "\r" },
    ],
    "an empty body of each kind": ["HTTP/1.0 500\r\n\r\n", { status: 500, body: "" }],
  };
  for (const [name, [text, expected]] of Object.entries(cases)) {
    await t.step(name, async () => {
      deepStrictEqual(await readEachWay(text), expected);
    });
  }
});

Deno.test("ResponseReader hands out every piece of a body in the same memory", async () => {
  verifies("transfer-memory");
  const piece = new Uint8Array(100_000).fill(0x61);
  function* pieces(): Generator<Uint8Array> {
    yield latin1("HTTP/1.1 200 OK\r\n\r\nfirst");
    for (let i = 0; i < 100; i++) yield piece;
  }
  const reader = new ResponseReader(connection(pieces()));
  await reader.head();
  const buffers = new Set<ArrayBufferLike>();
  let length = 0;
  for await (const bytes of reader.body()) {
    buffers.add(bytes.buffer);
    if (length === 0) strictEqual(textOf(bytes), "first");
    length += bytes.length;
  }
  strictEqual(length, 10_000_005);
  strictEqual(buffers.size, 1);
});
