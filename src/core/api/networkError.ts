import { FleetError } from './errors';

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'its name could not be resolved',
  ETIMEDOUT: 'it is not responding',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'network unreachable',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
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
      const message = `The certificate for ${host} isn't trusted: ${untrusted}. To trust it, add its CA file in Settings.`;
      return new FleetError('unavailable', message, { cause: error, action: 'trustAuthority' });
    }
    if (WRONG_PROTOCOL.has(code)) {
      const hint =
        protocol === 'https:'
          ? "The URL might need http:// instead of https://, or it isn't the URL of a fleet service."
          : "The URL might need https:// instead of http://, or it isn't the URL of a fleet service.";
      const message = `${host} responds, but doesn't speak gRPC over ${protocol === 'https:' ? 'TLS' : 'plain HTTP/2'}. ${hint}`;
      return new FleetError('unavailable', message, { cause: error, action: 'signIn' });
    }
    const unreachable = UNREACHABLE[code];
    if (unreachable) {
      const message = `Can't connect to ${host}: ${unreachable}. Check the URL and your network.`;
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
      ? 'It might have stopped, or the URL might need https://.'
      : 'It might have stopped.';
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
