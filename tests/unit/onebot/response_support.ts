/** What the tests of the response reader share: answers as bytes, and how reading them ends. */
import { deepStrictEqual, ok } from "node:assert/strict";
import { BadResponse, ResponseReader } from "../../../lib/onebot/http_response.ts";

/** Bytes of a text with one byte a character. */
export const latin1 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (char) => char.charCodeAt(0));
/** The text whose bytes these are, one character a byte. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes);

/** How reading ended: the answer, or what was wrong; with what had come of the body. */
export interface Reading {
  readonly status?: number;
  readonly body: string;
  readonly kind?: "cut" | "garbled";
  readonly message?: string;
}

/** A connection that gives these pieces and then ends; it must never be asked for nothing. */
export function connection(pieces: Iterable<Uint8Array>): (into: Uint8Array) => Promise<number | null> {
  const iterator = pieces[Symbol.iterator]();
  let piece = new Uint8Array();
  return (into) => {
    ok(into.length > 0, "there is room to read into");
    while (piece.length === 0) {
      const { done, value } = iterator.next();
      if (done) return Promise.resolve(null);
      piece = value.slice();
    }
    const part = piece.subarray(0, into.length);
    into.set(part);
    piece = piece.subarray(part.length);
    return Promise.resolve(part.length);
  };
}

/** Reads one answer. Anything but an answer or a `BadResponse` fails the test. */
export async function read(pieces: Iterable<Uint8Array>): Promise<Reading> {
  const reader = new ResponseReader(connection(pieces));
  let status: number | undefined;
  let body = "";
  const told = (): Pick<Reading, "status" | "body"> => ({ ...(status !== undefined && { status }), body });
  try {
    status = await reader.head();
    for await (const bytes of reader.body()) {
      ok(bytes.length > 0, "no piece is empty");
      body += textOf(bytes);
    }
    return told();
  } catch (error) {
    if (!(error instanceof BadResponse)) throw error;
    return { ...told(), kind: error.kind, message: error.message };
  }
}

/** Cuts bytes at these places. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  return [...places, bytes.length].map((end, i) => bytes.subarray(places[i - 1] ?? 0, end));
}

/** Reads in one piece, byte by byte, and cut in the middle; all have to end alike. */
export async function readEachWay(text: string): Promise<Reading> {
  const bytes = latin1(text);
  const whole = await read([bytes]);
  if (text.length < 1_000) {
    deepStrictEqual(await read(cutAt(bytes, [...bytes.keys()].slice(1))), whole, "byte by byte");
  }
  deepStrictEqual(await read(cutAt(bytes, [bytes.length >> 1])), whole, "in two pieces");
  return whole;
}
