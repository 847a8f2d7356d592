/** Close frames of a WebSocket (RFC 6455, 7.4). */
import { Buffer } from "node:buffer";

/** Codes below 3000 that mean something in a frame. 1004 is reserved; 1005, 1006 and 1015 never travel. */
const PROTOCOL_CODES = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014];

/** Longest reason, in bytes of UTF-8. */
const MAX_REASON_BYTES = 123;

/** @throws RangeError if the code may not be sent or the reason does not fit into a close frame. */
export function checkClose(code: number, reason: string): void {
  if (!PROTOCOL_CODES.includes(code) && !(Number.isInteger(code) && code >= 3000 && code <= 4999)) {
    throw new RangeError(`Cannot close sockets: ${code} is no code that a close frame may carry`);
  }
  if (Buffer.byteLength(reason) > MAX_REASON_BYTES) {
    throw new RangeError(`Cannot close sockets: the reason is longer than ${MAX_REASON_BYTES} bytes`);
  }
}
