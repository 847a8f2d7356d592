/**
 * Standard input and output as byte streams.
 *
 * `Deno.stdin` and `Deno.stdout` hand every read and write to another thread, which costs a short call more than
 * all its other work. Clients give pipes or socket pairs, and those the event loop can watch by itself.
 */
import { Socket } from "node:net";
import type { ByteStreams } from "../mcp/stdio_transport.ts";

/** Opens both. What is neither a pipe nor a socket (a file, a terminal) goes by way of threads. */
export function openStdio(): ByteStreams {
  return {
    read: socketReader(0) ?? ((buffer) => Deno.stdin.read(buffer)),
    write: socketWriter(1) ?? ((bytes) => Deno.stdout.write(bytes)),
  };
}

function socketReader(fd: number): ByteStreams["read"] | undefined {
  const socket = openSocket({ fd, readable: true, writable: false });
  if (socket === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  let end: { readonly error?: Error } | undefined;
  let wake = (): void => {};
  socket.pause();
  socket.on("data", (data: Uint8Array) => {
    chunks.push(data);
    if (chunks.length > 1) socket.pause(); // who does not read, does not fill memory
    wake();
  });
  socket.on("end", () => {
    end ??= {};
    wake();
  });
  socket.on("error", (error: Error) => {
    end ??= { error };
    wake();
  });
  return async (buffer) => {
    while (chunks[0] === undefined) {
      if (end?.error) throw end.error;
      if (end) return null;
      const more = new Promise<void>((resolve) => wake = resolve);
      if (socket.isPaused()) socket.resume();
      await more;
    }
    const part = chunks[0].subarray(0, buffer.length);
    if (part.length < chunks[0].length) chunks[0] = chunks[0].subarray(part.length);
    else chunks.shift();
    buffer.set(part);
    return part.length;
  };
}

function socketWriter(fd: number): ByteStreams["write"] | undefined {
  const socket = openSocket({ fd, readable: false, writable: true });
  if (socket === undefined) return undefined;
  socket.on("error", () => {}); // told to the write that failed
  return (bytes) =>
    new Promise((resolve, reject) => {
      socket.write(bytes, (error) => error ? reject(error) : resolve(bytes.length));
    });
}

function openSocket(options: { fd: number; readable: boolean; writable: boolean }): Socket | undefined {
  if (Deno.build.os === "windows") return undefined;
  try {
    return new Socket(options);
  } catch { // not a pipe, not a socket
    return undefined;
  }
}
