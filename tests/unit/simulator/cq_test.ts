/** CQ codes. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { escapeCq, formatCq, parseCq, type Segment } from "../../../lib/simulator/cq.ts";

const text = (value: string): Segment => ({ type: "text", data: { text: value } });

const PARSED: [input: string, expected: Segment[]][] = [
  ["", []],
  ["hello", [text("hello")]],
  ["[CQ:at,qq=10001]", [{ type: "at", data: { qq: "10001" } }]],
  ["[CQ:shake]", [{ type: "shake", data: {} }]],
  ["a[CQ:face,id=1]b", [text("a"), { type: "face", data: { id: "1" } }, text("b")]],
  ["[CQ:face,id=1][CQ:face,id=2]", [{ type: "face", data: { id: "1" } }, { type: "face", data: { id: "2" } }]],
  ["&#91;CQ:face,id=1&#93;", [text("[CQ:face,id=1]")]],
  ["a &amp; b", [text("a & b")]],
  ["&amp;#91;", [text("&#91;")]],
  ["a &#44; b", [text("a , b")]],
  ["[CQ:share,url=a&#44;b,title=&#91;x&#93;&amp;]", [{ type: "share", data: { url: "a,b", title: "[x]&" } }]],
  ["[CQ:image,file=a=b=c]", [{ type: "image", data: { file: "a=b=c" } }]],
  ["[CQ:image,file=]", [{ type: "image", data: { file: "" } }]],
  ["[CQ:face,id=1", [text("[CQ:face,id=1")]],
  ["[CQ:]", [text("[CQ:]")]],
  ["[cq:face,id=1]", [text("[cq:face,id=1]")]],
  ["[[CQ:face,id=1]]", [text("["), { type: "face", data: { id: "1" } }, text("]")]],
  ["[CQ:face,[CQ:face,id=1]", [text("[CQ:face,"), { type: "face", data: { id: "1" } }]],
];

Deno.test("parseCq() reads codes and leaves the rest as text", () => {
  for (const [input, expected] of PARSED) deepStrictEqual(parseCq(input), expected, input);
});

Deno.test("parseCq() and formatCq() are inverse on many made-up messages", () => {
  const alphabet = ["[", "]", "&", ",", "=", "CQ:", "amp;", "#91;", "a", " ", "中", "\n", "[CQ:face,id=1]", "😀"];
  let state = 1;
  const next = (below: number): number => {
    // A fixed generator keeps a failure repeatable.
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const word = (): string => Array.from({ length: 1 + next(8) }, () => alphabet[next(alphabet.length)]).join("");
  for (let round = 0; round < 2000; round += 1) {
    const segments: Segment[] = [];
    for (let index = 0; index < 1 + next(4); index += 1) {
      // Two texts in a row come back as one, so they are kept apart.
      const isText = next(2) === 0 && segments.at(-1)?.type !== "text";
      segments.push(isText ? text(word()) : { type: "share", data: { url: word(), title: word() } });
    }
    deepStrictEqual(parseCq(formatCq(segments)), segments);
  }
});

Deno.test("escapeCq() makes any text literal", () => {
  for (const given of ["[CQ:at,qq=all]", "&#91;", "&amp;", "]]&[["]) {
    deepStrictEqual(parseCq(escapeCq(given)), [text(given)]);
  }
});

Deno.test("formatCq() leaves out values without a text form", () => {
  strictEqual(formatCq([{ type: "x", data: { a: 1, b: { c: 1 }, d: null } }]), "[CQ:x,a=1]");
});
