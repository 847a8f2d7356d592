/** Hosts that a bot fetches nothing from, because they are part of its own network. */
import { BlockList } from "node:net";

const INTERNAL: readonly (readonly [network: string, prefix: number, family: "ipv4" | "ipv6"])[] = [
  ["0.0.0.0", 8, "ipv4"], // this host
  ["127.0.0.0", 8, "ipv4"], // loopback
  ["10.0.0.0", 8, "ipv4"], // private, as the next two
  ["172.16.0.0", 12, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["169.254.0.0", 16, "ipv4"], // link-local
  ["100.64.0.0", 10, "ipv4"], // carrier NAT
  ["::", 127, "ipv6"], // this host and loopback
  ["fe80::", 10, "ipv6"], // link-local
  ["fc00::", 7, "ipv6"], // unique-local
  ["64:ff9b::", 96, "ipv6"], // NAT64
];

const internal = new BlockList();
for (const [network, prefix, family] of INTERNAL) internal.addSubnet(network, prefix, family);

/**
 * Whether the bot refuses a host. Names are not resolved: but for `localhost` they all pass.
 *
 * @param hostname As `URL` writes it, so any spelling of an IPv4 address is four decimal numbers by now and an IPv6
 *   address stands in brackets. An IPv4 address mapped into IPv6 counts as itself.
 */
export function isInternalHost(hostname: string): boolean {
  if (/^\[.*\]$/.test(hostname)) return internal.check(hostname.slice(1, -1), "ipv6");
  if (/^[0-9.]+$/.test(hostname)) return internal.check(hostname, "ipv4");
  return /(^|\.)localhost\.?$/.test(hostname);
}
