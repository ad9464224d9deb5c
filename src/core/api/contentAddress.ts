import { FleetError } from './errors';

/** How an address of a content may be asked for. */
export interface ContentAddress {
  readonly url: URL;
  /** Whether the token of the connection goes along. */
  readonly withToken: boolean;
}

/**
 * Decides whether an address is read, and with the token or without. An address comes from the service, and
 * it may lead to a store of somebody else, who must not get to see the token: only the connection's own
 * scheme, host and port do. Others are read when nobody on the way can read or change what comes.
 * @throws FleetError of kind `unsupported` for an address that is not read at all.
 */
export function contentAddress(uri: string, baseUrl: string): ContentAddress {
  const url = parse(uri);
  const withToken = url.origin === new URL(baseUrl).origin;
  if (!withToken && url.protocol !== 'https:') {
    const message = `The content is at ${url.protocol}//${url.host}, which is neither encrypted nor the address of this connection, so it wasn't loaded. The operator of the service can set its public address.`;
    throw new FleetError('unsupported', message);
  }
  // What stands before the host would be sent along as a password.
  url.username = '';
  url.password = '';
  return { url, withToken };
}

/**
 * The address that an answer redirects to. The token stays behind once the way has left the connection's
 * own address, also when it leads back.
 */
export function redirectedAddress(
  from: ContentAddress,
  location: string,
  baseUrl: string,
): ContentAddress {
  const to = contentAddress(new URL(location, from.url).href, baseUrl);
  return { url: to.url, withToken: to.withToken && from.withToken };
}

function parse(uri: string): URL {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new FleetError('unsupported', "The service didn't provide an address for the content.");
}
