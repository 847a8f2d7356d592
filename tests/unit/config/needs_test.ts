import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { needsOf, netHost, PROXY_VARIABLES } from "../../../lib/config/needs.ts";
import { resolveConfig } from "../../../lib/config/resolve.ts";
import { verifies } from "../../requirements.ts";

const WRITE = resolveConfig({
  environment: {},
  flags: {
    endpoint: "http://127.0.0.1:3000/",
    mode: "write",
    "stream-dir": "/tmp/downloads",
    "upload-root": "/var/uploads",
    "task-dir": "/home/me/tmp/tasks",
  },
});

Deno.test("needsOf() names on macOS also where the folders /tmp and /var lead", () => {
  verifies("sandbox-flags");
  const { read, write } = needsOf(WRITE, "darwin");
  const downloads = ["/tmp/downloads", "/private/tmp/downloads"];
  deepStrictEqual(read, [...downloads, "/var/uploads", "/private/var/uploads", "/home/me/tmp/tasks"]);
  deepStrictEqual(write, [...downloads, "/home/me/tmp/tasks"]);
  deepStrictEqual(needsOf(WRITE, "linux").read, ["/tmp/downloads", "/var/uploads", "/home/me/tmp/tasks"]);
});

Deno.test("netHost() gives every address the port that it stands for", () => {
  verifies("sandbox-flags");
  const hosts = {
    "http://bot.example/": "bot.example:80",
    "https://bot.example/api/": "bot.example:443",
    "ws://bot.example/": "bot.example:80",
    "wss://bot.example:3001/": "bot.example:3001",
    "https://bot.example:80/": "bot.example:80",
    "http://[::1]:3000/": "[::1]:3000",
    simulator: "127.0.0.1",
  };
  for (const [address, host] of Object.entries(hosts)) strictEqual(netHost(address), host, address);
});

Deno.test("PROXY_VARIABLES holds the three names in both cases", () => {
  verifies("sandbox-proxies");
  deepStrictEqual(PROXY_VARIABLES.toSorted(), [
    "ALL_PROXY",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "all_proxy",
    "http_proxy",
    "https_proxy",
  ]);
});
