/** Groups in the first 64 bits of an IPv6 address, which identify a network. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;
/** IPv4 address in the form of an IPv6 address, as sockets for both report it (RFC 4291, 2.5.5.2). */
const MAPPED_IPV4 = /^::ffff:([\d.]+)$/i;

/**
 * Returns the part of an address by which clients are limited: the whole IPv4 address, or the first
 * 64 bits of an IPv6 address. Each computer in an IPv6 network can use any of its other 64 bits, so
 * that limits for whole addresses would limit no one (RFC 4291, section 2.5.1).
 * @param address address as Node.js formats it
 */
export function toClientNetwork(address: string): string {
  const [, mapped] = MAPPED_IPV4.exec(address) ?? [];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill('0');
  return [...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':');
}
