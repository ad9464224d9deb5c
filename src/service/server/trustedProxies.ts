import { BlockList, isIP, SocketAddress } from 'node:net';
import type { HttpRequest } from './http';

/** Header to which each proxy appends the address of its client. */
const FORWARDED_HEADER = 'x-forwarded-for';
/** Address with the port that some proxies append: `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const ADDRESS_WITH_PORT = /^\[([\da-f:.]+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/i;
const NETWORK = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i;
/**
 * Maximum number of proxies between a client and the service. Without a limit, a client with a
 * trusted address could occupy the service with a long header.
 */
const MAX_PROXIES = 32;
const BITS = { ipv4: 32, ipv6: 128 } as const;

/** Returns true for an IP address, or a network in CIDR notation, such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined;
}

/** Proxies whose `X-Forwarded-For` header states the address of the actual client. */
export class TrustedProxies {
  private readonly networks = new BlockList();

  /** @param networks addresses, and networks in CIDR notation; others are ignored */
  constructor(networks: readonly string[]) {
    for (const text of networks) {
      const network = parseNetwork(text);
      if (network) this.networks.addSubnet(network.address, network.prefix, network.family);
    }
  }

  /** Returns true if an address is one of the proxies. */
  includes(address: string | undefined): boolean {
    const family = address === undefined ? undefined : getFamily(address);
    return address !== undefined && family !== undefined && this.networks.check(address, family);
  }

  /**
   * Returns the address of the client that sent a request: the remote address of the connection, or
   * if that is a trusted proxy, the right-most address in `X-Forwarded-For` that isn't one. Addresses
   * further to the left can be forged by the client. If an entry isn't an address, or there are too many
   * proxies, the result is the last proxy that is known to have handled the request.
   */
  findClient({ socket, headers }: HttpRequest): string | undefined {
    let client = socket.remoteAddress;
    const entries = String(headers[FORWARDED_HEADER] ?? '').split(',');
    for (let proxies = 0; proxies < MAX_PROXIES && this.includes(client); proxies += 1) {
      const previous = parseAddress(entries.pop()?.trim() ?? '');
      if (previous === undefined) return client;
      client = previous;
    }
    return client;
  }
}

function parseNetwork(text: string) {
  const [, address = '', bits] = NETWORK.exec(text) ?? [];
  const family = getFamily(address);
  if (family === undefined) return undefined;
  const prefix = Number(bits ?? BITS[family]);
  return prefix > BITS[family] ? undefined : { address, prefix, family };
}

/** Returns an address in the format in which Node.js formats remote addresses. */
function parseAddress(entry: string): string | undefined {
  const [, ipv6, ipv4] = ADDRESS_WITH_PORT.exec(entry) ?? [];
  const address = ipv6 ?? ipv4 ?? entry;
  const family = address.includes('%') ? undefined : getFamily(address);
  return family && new SocketAddress({ address, family }).address;
}

function getFamily(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}
