import { ok, strictEqual, throws } from "node:assert/strict";
import { MAX_PENDING_PROMPTS, MAX_PROMPT_BYTES, PROMPT_TTL_MS, Prompts } from "../../../lib/completion/prompts.ts";
import { verifies } from "../../requirements.ts";

Deno.test("a prompt is good for one answer", () => {
  verifies("input-once");
  const prompts = new Prompts();
  const id = prompts.open("a");
  prompts.take(id, "a");
  throws(() => prompts.take(id, "a"), { kind: "input", message: /answered before/, outcome: "failed" });
});

Deno.test("a prompt stays for its own call when another one tries it", () => {
  verifies("input-bound");
  const prompts = new Prompts();
  const id = prompts.open("a");
  throws(() => prompts.take(id, "b"), { kind: "input", message: /other arguments/ });
  prompts.take(id, "a");
});

Deno.test("an id that was never made is refused, and no two are equal", () => {
  verifies("input-bound", "input-expiry");
  const [one, other] = [new Prompts(), new Prompts()];
  const id = one.open("a");
  throws(() => other.take(id, "a"), { kind: "input", message: /another run of the server/ });
  ok(/^[0-9a-f-]{36}$/.test(id) && one.open("a") !== id);
});

Deno.test("a prompt ends after ten minutes, to the millisecond", () => {
  verifies("input-expiry");
  strictEqual(PROMPT_TTL_MS, 600_000);
  let now = 5;
  const prompts = new Prompts(() => now);
  const [late, early] = [prompts.open("a"), prompts.open("a")];
  now += PROMPT_TTL_MS - 1;
  prompts.take(early, "a");
  now += 1;
  throws(() => prompts.take(late, "a"), { kind: "input", message: /ten minutes/ });
});

Deno.test("the 257th pending prompt is refused until one is taken or has ended", () => {
  verifies("input-pending");
  strictEqual(MAX_PENDING_PROMPTS, 256);
  let now = 0;
  const prompts = new Prompts(() => now);
  const ids = Array.from({ length: 256 }, () => prompts.open("a"));
  throws(() => prompts.open("a"), { kind: "busy", outcome: "failed" });
  prompts.take(ids[100] ?? "", "a");
  now = 1;
  prompts.open("a");
  throws(() => prompts.open("a"), { kind: "busy" });
  now = PROMPT_TTL_MS; // all but the last have ended
  for (let n = 0; n < 255; n++) prompts.open("b");
  throws(() => prompts.open("b"), { kind: "busy" });
});

Deno.test("Prompts.open() takes calls of 32 MiB together and not a byte more", () => {
  verifies("input-pending", "bounded");
  strictEqual(MAX_PROMPT_BYTES, 33_554_432);
  const prompts = new Prompts();
  prompts.open("a", MAX_PROMPT_BYTES - 10);
  throws(() => prompts.open("b", 11), { kind: "busy", message: /hold 33554422 of 33554432 bytes/, outcome: "failed" });
  prompts.open("b", 10);
  throws(() => prompts.open("c", 1), { kind: "busy" });
  prompts.open("c"); // whose call holds nothing
  throws(() => new Prompts().open("a", MAX_PROMPT_BYTES + 1), { kind: "busy" });
});

Deno.test("the bytes of a prompt are free once it is taken, given up or has ended, and no sooner", () => {
  verifies("input-pending", "bounded");
  let now = 0;
  const prompts = new Prompts(() => now);
  const open = (): string => prompts.open("a", MAX_PROMPT_BYTES);
  const full = (): void => throws(() => prompts.open("a", 1), { kind: "busy" });
  const taken = open();
  throws(() => prompts.take(taken, "b"), { kind: "input" });
  full();
  prompts.take(taken, "a");
  const dropped = open();
  full();
  prompts.drop(dropped);
  const ended = open();
  now = PROMPT_TTL_MS - 1;
  full();
  now = PROMPT_TTL_MS;
  const late = open();
  for (const gone of [taken, dropped, ended, "none"]) prompts.drop(gone); // once more, which frees nothing
  full();
  now += PROMPT_TTL_MS;
  throws(() => prompts.take(late, "a"), { kind: "input", message: /ten minutes/ });
  open();
  full();
});

Deno.test("Prompts.drop() gives a prompt up, whether it waits or not, and makes room for one", () => {
  verifies("input-pending");
  const prompts = new Prompts();
  const ids = Array.from({ length: MAX_PENDING_PROMPTS }, () => prompts.open("a"));
  prompts.drop(ids[7] ?? "");
  prompts.drop(ids[7] ?? "");
  prompts.drop("none");
  throws(() => prompts.take(ids[7] ?? "", "a"), { kind: "input" });
  prompts.open("a");
  throws(() => prompts.open("a"), { kind: "busy" });
});
