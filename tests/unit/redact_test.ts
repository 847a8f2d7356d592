import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { parseJson } from "../../lib/onebot/lossless_json.ts";
import { MIN_SECRET_LENGTH, Redactor } from "../../lib/redact.ts";
import { verifies } from "../requirements.ts";

const TOKEN = "tok_TEST+/=1";

Deno.test("Redactor.text() masks every occurrence, plain and percent-encoded", () => {
  verifies("no-token");
  const encoded = encodeURIComponent(TOKEN);
  const text = `${TOKEN} x${TOKEN}${TOKEN} ?access_token=${encoded}&b Bearer ${TOKEN}`;
  const clean = new Redactor([TOKEN]).text(text);
  strictEqual(clean, "[redacted] x[redacted][redacted] ?access_token=[redacted]&b Bearer [redacted]");
});

Deno.test("Redactor.text() masks a secret as it stands inside JSON text", () => {
  verifies("no-token");
  const secret = 'quo"te\\back';
  const line = JSON.stringify({ message: `token ${secret} refused` });
  const clean = new Redactor([secret]).text(line);
  ok(!clean.includes(JSON.stringify(secret).slice(1, -1)), clean);
  ok(!clean.includes(secret));
  const escaped = JSON.stringify({ message: "\\backslash" });
  strictEqual(JSON.parse(new Redactor(["\\backslash"]).text(escaped)).message, "[redacted]");
});

Deno.test("Redactor.text() masks a secret that was escaped or encoded on its way", async (t) => {
  verifies("no-token");
  const secret = `q"\\<&>'_-~.!*/+tok`;
  const json = (text: string): string => JSON.stringify(text).slice(1, -1);
  const html = (apostrophe: string): string =>
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
      .replaceAll("'", apostrophe);
  const percent = "q%22%5C%3C%26%3E%27%5F%2D%7E%2E%21%2A%2F%2Btok";
  const hex = new TextEncoder().encode(secret).toHex();
  const cases = {
    "JSON": json(secret),
    "JSON in JSON": json(json(secret)),
    "JSON in JSON in JSON": json(json(json(secret))),
    "HTML": html("&#39;"),
    "HTML, apostrophe in hex": html("&#x27;"),
    "HTML, apostrophe as it is": html("'"),
    "percent": percent,
    "percent but for RFC 3986's unreserved": percent.replace(/%(5F|2D|7E|2E)/g, (code) => decodeURIComponent(code)),
    "JSON with slashes escaped": json(secret).replaceAll("/", "\\/"),
    "percent in lower case": percent.replace(/%../g, (code) => code.toLowerCase()),
    "hex": hex,
    "hex in upper case": hex.toUpperCase(),
  };
  for (const [name, form] of Object.entries(cases)) {
    await t.step(name, () => strictEqual(new Redactor([secret]).text(`<${form}>`), "<[redacted]>"));
  }
});

Deno.test("Redactor.text() masks a secret as the text between CQ codes has it, where a comma stays", () => {
  verifies("no-token");
  const redactor = new Redactor(["Htok[1],/x+Y"]);
  strictEqual(redactor.text("a Htok&#91;1&#93;,/x+Y b"), "a [redacted] b");
  strictEqual(redactor.text("a Htok&#91;1&#93;&#44;/x+Y b"), "a [redacted] b");
});

Deno.test("Redactor.text() masks a secret as CQ codes escape it", () => {
  verifies("no-token");
  const redactor = new Redactor(["a&b[c]d,e=f"]);
  strictEqual(
    redactor.text("[CQ:share,url=http://x/?t=a&amp;b&#91;c&#93;d&#44;e=f]"),
    "[CQ:share,url=http://x/?t=[redacted]]",
  );
  strictEqual(redactor.text("a&b[c]d,e=f"), "[redacted]");
});

Deno.test("Redactor.text() masks a secret as Go writes JSON, and JSON in it", () => {
  verifies("no-token");
  const redactor = new Redactor([String.raw`a&b<c>d"e\f`]);
  strictEqual(redactor.text(String.raw`{"t":"x a\u0026b\u003cc\u003ed\"e\\f"}`), '{"t":"x [redacted]"}');
  strictEqual(
    new Redactor(["a&b<c>dd"]).text(String.raw`"{\"t\":\"a\\u0026b\\u003cc\\u003edd\"}"`),
    String.raw`"{\"t\":\"[redacted]\"}"`,
  );
});

Deno.test("Redactor.text() masks beyond ASCII byte by byte", () => {
  verifies("no-token");
  const redactor = new Redactor(["令牌令牌_tokens"]);
  strictEqual(redactor.text("%e4%bb%a4%e7%89%8c%e4%bb%a4%e7%89%8c%5ftokens"), "[redacted]");
});

Deno.test("Redactor.text() masks a secret within a longer text in base64, wherever it stands there", () => {
  verifies("no-token");
  for (const secret of ["tok_TEST", TOKEN, "a?~>o?~>o?~>", "tok_TEST+/=1%secret"]) {
    for (const alphabet of ["base64", "base64url"] as const) {
      for (const before of ["", "x", "{}", "Bearer ", "token: "]) {
        for (const after of ["", "y", "\r\n", ", and more"]) {
          const text = new TextEncoder().encode(before + secret + after).toBase64({ alphabet });
          const clean = new Redactor([secret]).text(text);
          ok(clean.includes("[redacted]"), `${before}${secret}${after}: ${clean}`);
          const rest = clean.replace("[redacted]", "").length;
          ok(rest <= Math.ceil(before.length * 4 / 3) + Math.ceil(after.length * 4 / 3) + 4, clean);
        }
      }
    }
  }
  strictEqual(new Redactor([TOKEN]).text(`<${btoa(TOKEN)}>`), "<[redacted]>");
});

Deno.test("Redactor.text() takes secrets literally, whatever characters they hold", () => {
  verifies("no-token");
  for (const secret of [".*.*.*.*", "$&$&$&$&", "((((((((", "a|b|c|d|e", "$1$2$3$4"]) {
    strictEqual(new Redactor([secret]).text(`<${secret}>`), "<[redacted]>");
    strictEqual(new Redactor([secret]).text("abcdefghijk"), "abcdefghijk");
  }
});

Deno.test("Redactor.text() masks several secrets, the longer one whole", () => {
  const redactor = new Redactor(["first-secret", "second-secret"]);
  strictEqual(redactor.text("second-secret first-secret"), "[redacted] [redacted]");
});

Deno.test("Redactor searches for secrets from 8 characters on", () => {
  strictEqual(MIN_SECRET_LENGTH, 8);
  strictEqual(new Redactor(["12345678"]).text("12345678"), "[redacted]");
  strictEqual(new Redactor(["1234567"]).text("1234567"), "1234567");
  strictEqual(new Redactor([""]).text("any text"), "any text");
});

Deno.test("Redactor.value() masks strings and field names at any depth and leaves the rest alone", () => {
  verifies("no-token", "digits");
  const text =
    `{"a":["${TOKEN}",{"${TOKEN}":"x ${TOKEN}"}],"n":9007199254740993,"m":1,"b":true,"z":null,"e":{},"l":[]}`;
  const clean = new Redactor([TOKEN]).value(parseJson(text));
  strictEqual(JSON.stringify(clean), text.replaceAll(TOKEN, "[redacted]"));
});

Deno.test("Redactor.value() masks a number whose text is a secret, and no other", () => {
  verifies("no-token", "digits");
  const redactor = new Redactor(["12345678", "90071992547409931", "-7654321.5"]);
  const text = '{"a":[12345678,{"b":90071992547409931}],"c":-7654321.5,"d":[123456789,90071992547409932,1234567]}';
  strictEqual(
    JSON.stringify(redactor.value(parseJson(text))),
    '{"a":["[redacted]",{"b":"[redacted]"}],"c":"[redacted]","d":[123456789,90071992547409932,1234567]}',
  );
});

Deno.test("Redactor.value() keeps key order and keys with a meaning of their own", () => {
  verifies("passed-through");
  const text = '{"b":1,"a":{"__proto__":{"x":1},"constructor":"y"},"toString":2}';
  strictEqual(JSON.stringify(new Redactor([TOKEN]).value(JSON.parse(text))), text);
});

Deno.test("Redactor without secrets gives the very value", () => {
  const value = { a: 1 };
  strictEqual(new Redactor([]).value(value), value);
  deepStrictEqual(new Redactor([]).text("x"), "x");
});
