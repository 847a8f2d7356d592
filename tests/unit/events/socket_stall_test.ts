import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { verifies } from "../../requirements.ts";
import { Ear, EventBot, open, tidyTest, until } from "./support.ts";

tidyTest("openEventSocket() reads what came while the process stood still before it calls the bot silent", async () => {
  verifies("events-quiet", "events-disconnect");
  await using bot = await EventBot.start(() => {});
  const ear = new Ear();
  const socket = await open(bot.url, ear, { pingIntervalMs: 10_000, maxSilenceMs: 300 });
  bot.peer.send("first");
  await until(() => ear.texts.length === 1);
  bot.peer.send("second"); // on its way when everything stops
  const start = performance.now();
  while (performance.now() - start < 700);
  await until(() => ear.texts.length === 2);
  deepStrictEqual(ear.texts, ["first", "second"]);
  strictEqual(ear.ends.length, 0);
  socket.close();
});
