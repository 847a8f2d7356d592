import { ok, strictEqual } from "node:assert/strict";
import { type Figure, judge, quantile, render, type Skipped, type Verdict } from "./report.ts";

const base = { figure: "start", ours: 90, unit: "ms" } as const;
const against = { name: "other", value: 100 };

const VERDICTS: ReadonlyArray<{ name: string; row: Figure | Skipped; expected: Verdict }> = [
  { name: "no bar", row: { ...base, against }, expected: "" },
  {
    name: "a ratio at its upper bound",
    row: { ...base, against, bar: { kind: "at most", value: 0.9 } },
    expected: "met",
  },
  {
    name: "a ratio above it",
    row: { ...base, ours: 90.1, against, bar: { kind: "at most", value: 0.9 } },
    expected: "missed",
  },
  {
    name: "a ratio at its lower bound",
    row: { ...base, against, bar: { kind: "at least", value: 0.9 } },
    expected: "met",
  },
  {
    name: "a ratio below it",
    row: { ...base, ours: 89.9, against, bar: { kind: "at least", value: 0.9 } },
    expected: "missed",
  },
  { name: "a figure at its bound", row: { ...base, bar: { kind: "at most", value: 90 } }, expected: "met" },
  { name: "a figure above it", row: { ...base, bar: { kind: "at most", value: 89 } }, expected: "missed" },
  {
    name: "a figure that is not a number",
    row: { ...base, ours: NaN, bar: { kind: "at most", value: 90 } },
    expected: "missed",
  },
  {
    name: "a comparison with what is not a number",
    row: { ...base, against: { name: "other", value: NaN }, bar: { kind: "at least", value: 0 } },
    expected: "missed",
  },
  { name: "a skipped figure", row: { figure: "start", skipped: "npm is not installed" }, expected: "skipped" },
];

Deno.test("judge() holds a figure or its ratio against the bar", async (t) => {
  for (const { name, row, expected } of VERDICTS) await t.step(name, () => strictEqual(judge(row), expected));
});

Deno.test("quantile() gives the nearest rank of values in any order", () => {
  const values = [50, 10, 40, 20, 30];
  strictEqual(quantile(values, 0), 10);
  strictEqual(quantile(values, 0.5), 30);
  strictEqual(quantile(values, 0.99), 50);
  strictEqual(quantile(values, 1), 50);
  strictEqual(quantile([100, 9], 0.5), 9); // by value, not as text
  ok(Number.isNaN(quantile([], 0.5)));
});

Deno.test("render() shows every row with its ratio, its bar and what became of it", () => {
  const text = render([
    { ...base, against, bar: { kind: "at most", value: 0.75 } },
    { figure: "size", ours: 8000, unit: "bytes", bar: { kind: "at most", value: 8192 } },
    { figure: "rate", skipped: "npm is not installed" },
  ]);
  const lines = text.split("\n").map((line) => line.split("|").map((cell) => cell.trim()).join("|"));
  strictEqual(lines.length, 5);
  strictEqual(lines[2], "start|90.0 ms|other 100.0 ms|0.90|≤ 0.75|missed");
  strictEqual(lines[3], "size|8000 bytes|||≤ 8192 bytes|met");
  strictEqual(lines[4], "rate|||||skipped: npm is not installed");
});
