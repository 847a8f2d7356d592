/** Message ids. */
import { notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { messageId } from "../../../lib/simulator/message_id.ts";
import { MAX_MESSAGES, MessageLog } from "../../../lib/simulator/message_log.ts";

const GROUP = { kind: "group", id: 20001 } as const;

Deno.test("messageId() gives signed 32-bit ids of both signs and never 0", () => {
  const ids = Array.from({ length: 20_000 }, (_, seq) => messageId(GROUP, seq));
  ok(ids.every((id) => Number.isInteger(id) && id !== 0 && id >= -(2 ** 31) && id < 2 ** 31));
  const negative = ids.filter((id) => id < 0).length;
  ok(negative > 9_000 && negative < 11_000, `${negative} of 20000 are negative`);
});

Deno.test("messageId() is stable and tells chats apart", () => {
  strictEqual(messageId(GROUP, 7), messageId({ ...GROUP }, 7));
  // Pinned: an id that changes between versions would break recorded sessions.
  strictEqual(messageId(GROUP, 1), -1741942831);
  notStrictEqual(messageId(GROUP, 7), messageId({ kind: "private", id: 20001 }, 7));
  notStrictEqual(messageId(GROUP, 7), messageId({ kind: "group", id: 20002 }, 7));
});

Deno.test("messageId() avoids ids that are taken", () => {
  const first = messageId(GROUP, 1);
  const second = messageId(GROUP, 1, (id) => id === first);
  notStrictEqual(second, first);
  strictEqual(messageId(GROUP, 1, (id) => id === first), second);
});

Deno.test("MessageLog keeps a bounded number of messages and forgets the oldest", () => {
  const log = new MessageLog();
  const first = log.append(GROUP, 1, 0, []);
  for (let index = 0; index < MAX_MESSAGES; index += 1) log.append({ kind: "group", id: 20002 + index % 50 }, 1, 0, []);
  strictEqual(log.find(first.id), undefined);
  strictEqual(log.all(GROUP).length, 0);
  strictEqual(log.append(GROUP, 1, 0, []).seq, 2);
});
