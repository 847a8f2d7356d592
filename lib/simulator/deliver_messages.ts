/** Puts an answer on a WebSocket, as it is or spoiled by a scripted fault. The other half of `deliver.ts`. */
import type { WebSocket } from "ws";
import { type Answer, begun, envelopesOf } from "./answer.ts";
import type { CutFault, Fault } from "./faults.ts";
import { wait } from "./wait.ts";

/** Faults that make sense without HTTP; a call over a socket leaves the others to later requests. */
export const SOCKET_FAULTS = ["delay", "cut", "body", "envelope"] as const;

/** One call being answered. `signal` aborts when the socket closes. */
export interface Peer {
  readonly socket: WebSocket;
  readonly signal: AbortSignal;
}

/** Answers a call, one text message per envelope. `act` runs the action, so faults decide whether and when. */
export async function deliverMessages(
  peer: Peer,
  fault: Extract<Fault, { kind: (typeof SOCKET_FAULTS)[number] }> | undefined,
  act: () => Answer,
): Promise<void> {
  switch (fault?.kind) {
    case undefined:
      await sendAnswer(peer, act());
      return;
    case "delay": {
      const early = fault.when === "after" ? begun(act()) : undefined;
      if (await wait(fault.ms, peer.signal)) await sendAnswer(peer, early ?? act());
      return;
    }
    case "cut":
      return await cut(peer, fault, act);
    case "body":
      if (fault.act) begun(act());
      await sendMessage(peer, fault.body);
      return;
    case "envelope":
      if (fault.act) begun(act());
      await sendMessage(peer, JSON.stringify(fault.envelope));
      return;
  }
}

/** One message at the pace of the client; says whether the system took it. */
export function sendMessage({ socket }: Peer, payload: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve) => socket.send(payload, { binary: false }, (error) => resolve(!error)));
}

/** Sends the whole answer, or `limit` envelopes of it. */
async function sendAnswer(peer: Peer, answer: Answer, limit = Infinity): Promise<void> {
  let sent = 0;
  for (const envelope of envelopesOf(answer)) {
    if (sent === limit || !await sendMessage(peer, JSON.stringify(envelope))) return;
    sent += 1;
  }
}

/** A message is whole or not there, so a cut in the body comes after the frames that still arrive. */
async function cut(peer: Peer, fault: CutFault, act: () => Answer): Promise<void> {
  if (fault.when !== "before") {
    const answer = begun(act());
    if (fault.when === "midbody" && answer.kind === "frames") await sendAnswer(peer, answer, fault.afterFrames ?? 1);
  }
  peer.socket.terminate();
}
