/**
 * The least that a compiled program can do to answer `tools/list`: what starting costs before anything of ours runs. It
 * answers every request with the same line until its input ends.
 */
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const buffer = new Uint8Array(65_536);
const result = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  serverInfo: { name: "floor", version: "1" },
  tools: [],
};

let text = "";
for (let count; (count = await Deno.stdin.read(buffer)) !== null;) {
  const lines = (text + decoder.decode(buffer.subarray(0, count), { stream: true })).split("\n");
  text = lines.pop() ?? "";
  for (const { id } of lines.map((line) => JSON.parse(line))) {
    if (id === undefined) continue;
    await Deno.stdout.write(encoder.encode(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`));
  }
}
