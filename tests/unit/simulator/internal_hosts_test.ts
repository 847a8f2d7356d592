/** Links that the bot does not follow. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { isInternalHost } from "../../../lib/simulator/internal_hosts.ts";
import { startSimulator } from "../../../lib/simulator/mod.ts";
import { verifies } from "../../requirements.ts";
import { data, frames } from "./support.ts";

/** Hosts as people write them; `URL` normalizes them. */
const INTERNAL = [
  ...["localhost", "LOCALHOST", "localhost.", "bot.localhost"],
  ...["127.0.0.1", "127.255.255.255", "127.1", "0.0.0.0", "0", "127.0.0.1."],
  ...["2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "%31%32%37.0.0.1", "１２７.0.0.1"],
  ...["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255"],
  ...["169.254.0.0", "169.254.169.254", "100.64.0.0", "100.127.255.255"],
  ...["[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:a00:1]", "[::FFFF:100.64.0.1]"],
  ...["[fe80::1]", "[febf::1]", "[fc00::]", "[fdff:ffff::1]", "[64:ff9b::8.8.8.8]", "[64:ff9b::7f00:1]"],
];
const OPEN = [
  ...["example.com", "simulator.invalid", "localhost.example.com", "notlocalhost", "10.example.com"],
  ...["8.8.8.8", "9.255.255.255", "11.0.0.0", "126.255.255.255", "128.0.0.0", "1.0.0.0", "134744072"],
  ...["172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "169.253.255.255", "169.255.0.0"],
  ...["100.63.255.255", "100.128.0.0"],
  ...["[2001:db8::1]", "[::ffff:8.8.8.8]", "[fec0::1]", "[fbff::1]", "[64:ff9b:0:0:0:1::]", "[64:ff9a::8.8.8.8]"],
];

Deno.test("isInternalHost() tells the networks of the bot from the rest, at their edges", () => {
  verifies("simulator-streams");
  const internal = (host: string): boolean => isInternalHost(new URL(`http://${host}:8080/a`).hostname);
  deepStrictEqual(INTERNAL.filter((host) => !internal(host)), []);
  deepStrictEqual(OPEN.filter(internal), []);
});

Deno.test("download_file_stream refuses links to internal hosts and links that are none", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  for (const host of ["localhost", "2130706433", "[::ffff:10.0.0.1]", "user:secret@10.0.0.1", "100.64.0.1:80"]) {
    for (const scheme of ["http", "https", "HTTP"]) {
      const [answer, ...more] = await frames(simulator, "download_file_stream", { file: `${scheme}://${host}/a` });
      deepStrictEqual([answer?.retcode, more.length], [100, 0], host);
      strictEqual(answer?.wording?.startsWith("address not allowed: "), true, answer?.wording);
    }
  }
  // Other slashes mean the same to a URL parser.
  strictEqual((await frames(simulator, "download_file_stream", { file: "http:\\\\127.0.0.1/a" }))[0]?.retcode, 100);
  for (const file of ["http://", "https://[::1/a", "http://1.2.3.256/"]) {
    strictEqual((await frames(simulator, "download_file_stream", { file }))[0]?.retcode, 100, file);
  }
});

Deno.test("download_file_stream follows the links that the simulator hands out", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const message = { type: "image", data: { file: "base64://aGVsbG8=" } };
  const { message_id } = await data(simulator, "send_group_msg", { group_id: 20001, message });
  const [image] = (await data(simulator, "get_msg", { message_id })).message;
  strictEqual(new URL(image.data.url).hostname, "simulator.invalid");
  const answers = await frames(simulator, "download_file_image_stream", { file: image.data.url });
  strictEqual(answers.at(-1)?.data.data_type, "file_complete");
});
