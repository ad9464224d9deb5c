import { FleetError } from './errors';

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'its name cannot be looked up right now',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no network',
  ECONNRESET: 'it cut the connection',
  EPIPE: 'it cut the connection',
};

const UNTRUSTED: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'it is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'it is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'it is signed by an unknown authority',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  CERT_UNTRUSTED: 'its authority is not trusted',
  CERT_REJECTED: 'it was rejected',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host name',
  HOSTNAME_MISMATCH: 'it is for another host name',
};

const WRONG_PROTOCOL: ReadonlySet<string> = new Set([
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL',
  'ERR_HTTP2_ERROR',
  'ERR_HTTP2_SESSION_ERROR',
]);

/** Tells apart why a service cannot be talked to at all; undefined when it did answer. */
export function networkError(error: unknown, baseUrl: string): FleetError | undefined {
  const { host, protocol } = new URL(baseUrl);
  for (const code of nodeCodes(error)) {
    const untrusted = UNTRUSTED[code];
    if (untrusted) {
      const message = `The certificate of ${host} is not trusted: ${untrusted}. If it is yours, name the file of its authority in the settings.`;
      return new FleetError('unavailable', message, { cause: error, action: 'trustAuthority' });
    }
    if (WRONG_PROTOCOL.has(code)) {
      const hint =
        protocol === 'https:'
          ? 'It may be a plain http:// address, or no fleet service.'
          : 'It may be an https:// address, or no fleet service.';
      const message = `${host} answers, but does not speak gRPC over ${protocol === 'https:' ? 'TLS' : 'plain HTTP/2'}. ${hint}`;
      return new FleetError('unavailable', message, { cause: error, action: 'signIn' });
    }
    const unreachable = UNREACHABLE[code];
    if (unreachable) {
      const message = `Cannot reach ${host}: ${unreachable}. Check the address and the network.`;
      return new FleetError('unavailable', message, { cause: error, action: 'retry' });
    }
  }
  return undefined;
}

/** The other side ended the connection in the middle of a call. */
export function closedConnectionError(error: unknown, baseUrl: string): FleetError {
  const { host, protocol } = new URL(baseUrl);
  const hint =
    protocol === 'http:'
      ? 'It may have stopped, or it may be an https:// address.'
      : 'It may have stopped.';
  const message = `${host} closed the connection without an answer. ${hint}`;
  return new FleetError('unavailable', message, { cause: error, action: 'retry' });
}

/** What the HTTP/2 client says of a service that has not answered its pings for a while. */
export const PING_TIMED_OUT = 'PING timed out';

/** The connection stands, but the service has not answered for a while, such as a frozen one. */
export function silentServiceError(error: unknown, baseUrl: string): FleetError {
  const { host } = new URL(baseUrl);
  const message = `${host} has not responded for a while. Check the service and the network, and retry.`;
  return new FleetError('unavailable', message, { cause: error, action: 'retry' });
}

/** The `code`s that Node puts on its errors, outermost first. */
function nodeCodes(error: unknown): readonly string[] {
  const codes: string[] = [];
  const seen = new Set<unknown>();
  for (let current = error; current instanceof Error && !seen.has(current);) {
    seen.add(current);
    if ('code' in current && typeof current.code === 'string') codes.push(current.code);
    current = current.cause;
  }
  return codes;
}
