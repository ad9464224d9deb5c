import { getErrorCode } from '../../base/errorCode';
import type { Localizer } from '../../base/localizer';
import { FleetError } from './errors';

type Describe = (l10n: Localizer, host: string) => string;

const closedConnection: Describe = (l10n, host) =>
  l10n.t("Can't connect to {0}: it closed the connection.", host);

const UNREACHABLE: Readonly<Partial<Record<string, Describe>>> = {
  ECONNREFUSED: (l10n, host) => l10n.t("Can't connect to {0}: connection refused.", host),
  ENOTFOUND: (l10n, host) => l10n.t("Can't connect to {0}: unknown host.", host),
  EAI_AGAIN: (l10n, host) =>
    l10n.t("Can't connect to {0}: the host name couldn't be resolved.", host),
  ETIMEDOUT: (l10n, host) => l10n.t("Can't connect to {0}: it is not responding.", host),
  EHOSTUNREACH: (l10n, host) => l10n.t("Can't connect to {0}: no route to host.", host),
  ENETUNREACH: (l10n, host) => l10n.t("Can't connect to {0}: network unreachable.", host),
  ECONNRESET: closedConnection,
  EPIPE: closedConnection,
};

const unknownAuthority: Describe = (l10n, host) =>
  l10n.t("The certificate for {0} isn't trusted: it is signed by an unknown authority.", host);
const otherHost: Describe = (l10n, host) =>
  l10n.t("The certificate for {0} isn't trusted: it is for another host name.", host);

const UNTRUSTED: Readonly<Partial<Record<string, Describe>>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: (l10n, host) =>
    l10n.t("The certificate for {0} isn't trusted: it is self-signed.", host),
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  CERT_HAS_EXPIRED: (l10n, host) =>
    l10n.t("The certificate for {0} isn't trusted: it has expired.", host),
  CERT_NOT_YET_VALID: (l10n, host) =>
    l10n.t("The certificate for {0} isn't trusted: it is not valid yet.", host),
  CERT_REVOKED: (l10n, host) =>
    l10n.t("The certificate for {0} isn't trusted: it was revoked.", host),
  CERT_UNTRUSTED: (l10n, host) =>
    l10n.t("The certificate for {0} isn't trusted: its authority is untrusted.", host),
  CERT_REJECTED: (l10n, host) =>
    l10n.t("The certificate for {0} isn't trusted: it was rejected.", host),
  ERR_TLS_CERT_ALTNAME_INVALID: otherHost,
  HOSTNAME_MISMATCH: otherHost,
};

const WRONG_PROTOCOL: ReadonlySet<string> = new Set([
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL',
  'ERR_HTTP2_ERROR',
  'ERR_HTTP2_SESSION_ERROR',
]);

/** Returns the error if the service can't be reached at all; undefined if it responded. */
export function networkError(
  error: unknown,
  baseUrl: string,
  l10n: Localizer,
): FleetError | undefined {
  const { host, protocol } = new URL(baseUrl);
  for (const code of getNodeCodes(error)) {
    const untrusted = UNTRUSTED[code];
    if (untrusted) {
      const message = `${untrusted(l10n, host)} ${l10n.t('To trust it, add its CA file in Settings.')}`;
      return new FleetError('unavailable', message, { cause: error, action: 'trustAuthority' });
    }
    if (WRONG_PROTOCOL.has(code)) {
      const message = describeWrongProtocol(l10n, host, protocol === 'https:');
      return new FleetError('unavailable', message, { cause: error, action: 'signIn' });
    }
    const unreachable = UNREACHABLE[code];
    if (unreachable) {
      const message = `${unreachable(l10n, host)} ${l10n.t('Check the URL and your network.')}`;
      return new FleetError('unavailable', message, { cause: error, action: 'retry' });
    }
  }
  return undefined;
}

function describeWrongProtocol(l10n: Localizer, host: string, secure: boolean): string {
  return secure
    ? l10n.t(
        "{0} responds, but doesn't speak gRPC over TLS. The URL might need http:// instead of https://, or it isn't the URL of a fleet service.",
        host,
      )
    : l10n.t(
        "{0} responds, but doesn't speak gRPC over plain HTTP/2. The URL might need https:// instead of http://, or it isn't the URL of a fleet service.",
        host,
      );
}

/** Returns the error for a call during which the service closed the connection. */
export function closedConnectionError(
  error: unknown,
  baseUrl: string,
  l10n: Localizer,
): FleetError {
  const { host, protocol } = new URL(baseUrl);
  const message =
    protocol === 'http:'
      ? l10n.t(
          '{0} closed the connection without responding. It might have stopped, or the URL might need https://.',
          host,
        )
      : l10n.t('{0} closed the connection without responding. It might have stopped.', host);
  return new FleetError('unavailable', message, { cause: error, action: 'retry' });
}

/** Message from the HTTP/2 client when a service doesn't answer its pings. */
export const PING_TIMED_OUT = 'PING timed out';

/**
 * Returns the error for a connected service that has stopped responding, for example because it is
 * frozen.
 */
export function silentServiceError(error: unknown, baseUrl: string, l10n: Localizer): FleetError {
  const { host } = new URL(baseUrl);
  const message = l10n.t(
    '{0} has not responded for a while. Check the service and the network, and retry.',
    host,
  );
  return new FleetError('unavailable', message, { cause: error, action: 'retry' });
}

/** Returns the `code`s that Node sets on its errors, outermost first. */
function getNodeCodes(error: unknown): readonly string[] {
  const codes: string[] = [];
  const seen = new Set<unknown>();
  for (let current = error; current instanceof Error && !seen.has(current);) {
    seen.add(current);
    const code = getErrorCode(current);
    if (code !== undefined) codes.push(code);
    current = current.cause;
  }
  return codes;
}
