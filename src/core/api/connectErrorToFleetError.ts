import { Code, ConnectError } from '@connectrpc/connect';
import type { Localizer } from '../../base/localizer';
import { FleetError, type FleetErrorAction, type FleetErrorKind } from './errors';
import { describeFailedCall, formatFailedCall } from './failedCallMessage';
import {
  closedConnectionError,
  networkError,
  PING_TIMED_OUT,
  silentServiceError,
} from './networkError';
import { getRequestId } from './requestId';

/** Details of a failed call, for the error message. */
export interface FailedCall {
  /** Name of the RPC, such as `ListRobots`. */
  readonly method: string;
  readonly baseUrl: string;
  /** True if the caller has stopped waiting. */
  readonly aborted: boolean;
  readonly l10n: Localizer;
}

const KINDS: Readonly<Partial<Record<Code, FleetErrorKind>>> = {
  [Code.Unauthenticated]: 'unauthenticated',
  [Code.PermissionDenied]: 'permission',
  [Code.NotFound]: 'notFound',
  [Code.Aborted]: 'conflict',
  [Code.FailedPrecondition]: 'conflict',
  [Code.AlreadyExists]: 'invalid',
  [Code.InvalidArgument]: 'invalid',
  [Code.OutOfRange]: 'invalid',
  [Code.Unavailable]: 'unavailable',
  [Code.DeadlineExceeded]: 'unavailable',
  [Code.ResourceExhausted]: 'unavailable',
  [Code.Unimplemented]: 'unsupported',
  [Code.DataLoss]: 'damaged',
};

const ACTIONS: Readonly<Partial<Record<FleetErrorKind, FleetErrorAction>>> = {
  unauthenticated: 'signIn',
  unavailable: 'retry',
  internal: 'showLog',
};

/** Converts anything that a call threw to a `FleetError` with a message for users. */
export function toCallError(error: unknown, call: FailedCall): FleetError {
  const { method, baseUrl, l10n } = call;
  if (call.aborted) {
    const message = `${describeFailedCall(method, l10n)} ${l10n.t('The request was canceled.')}`;
    return new FleetError('canceled', message, { cause: error });
  }
  const known = findFleetError(error);
  if (known) return known;
  const network = networkError(error, baseUrl, l10n);
  if (network) return network;
  const failure = ConnectError.from(error);
  // The caller's own abort is handled above.
  if (failure.code === Code.Canceled) return closedConnectionError(error, baseUrl, l10n);
  if (failure.rawMessage === PING_TIMED_OUT) return silentServiceError(error, baseUrl, l10n);
  const kind = KINDS[failure.code] ?? 'internal';
  return new FleetError(kind, formatFailedCall(method, failure.code, failure.rawMessage, l10n), {
    cause: error,
    action: ACTIONS[kind],
    requestId: getRequestId(error),
    serviceMessage: failure.rawMessage,
  });
}

/** Finds the error that an interceptor threw, which the transport wraps in a ConnectError. */
function findFleetError(error: unknown): FleetError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof FleetError) return current;
  }
  return undefined;
}
