/** Groups in the first 64 bits of an IPv6 address, which identify a network. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * Returns the part of an address by which clients are limited: the whole IPv4 address, or the first
 * 64 bits of an IPv6 address. Each computer in an IPv6 network can use any of its other 64 bits, so
 * that limits for whole addresses would limit nobody (RFC 4291, section 2.5.1).
 * @param address address as Node.js formats it
 */
export function toClientNetwork(address: string): string {
  // IPv4 addresses, also those that are mapped to IPv6, contain periods.
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill('0');
  return [...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':');
}
