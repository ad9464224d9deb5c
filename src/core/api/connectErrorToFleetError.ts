import { Code, ConnectError } from '@connectrpc/connect';
import { FleetError, type FleetErrorAction, type FleetErrorKind } from './errors';
import {
  closedConnectionError,
  networkError,
  PING_TIMED_OUT,
  silentServiceError,
} from './networkError';
import { getRequestId } from './requestId';

/** What was tried, for the message. */
export interface FailedCall {
  /** The RPC's name, such as `ListRobots`. */
  readonly method: string;
  readonly baseUrl: string;
  /** The caller has stopped waiting. */
  readonly aborted: boolean;
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

/** Turns whatever a call threw into the one error of this product. */
export function toCallError(error: unknown, call: FailedCall): FleetError {
  if (call.aborted) {
    return new FleetError('canceled', `Stopped: ${describeMethod(call.method)}.`, {
      cause: error,
    });
  }
  const known = findFleetError(error);
  if (known) return known;
  const network = networkError(error, call.baseUrl);
  if (network) return network;
  const failure = ConnectError.from(error);
  // A caller's own abort is told apart above.
  if (failure.code === Code.Canceled) return closedConnectionError(error, call.baseUrl);
  if (failure.rawMessage === PING_TIMED_OUT) return silentServiceError(error, call.baseUrl);
  const kind = KINDS[failure.code] ?? 'internal';
  const reason = failure.rawMessage || Code[failure.code];
  const message = `Could not ${describeMethod(call.method)}: ${reason}`;
  return new FleetError(kind, withStop(message), {
    ...{ cause: error, action: ACTIONS[kind], requestId: getRequestId(error) },
  });
}

/** `ListRobots` → `list machines`: the words of people instead of those of the wire. */
export function describeMethod(method: string): string {
  return method
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/^new /, 'create ')
    .replace(/^location auth$/, 'get location secrets')
    .replace(/^tabular data by filter$/, 'load the readings')
    .replace(/^(?:stream tabular data|tabular data by (?:sql|mql))$/, 'run the query')
    .replace(/^binary data by (?:filter|i ds)$/, 'load the captured data')
    .replace(/^(tags|bounding box labels) by filter$/, 'list the $1')
    .replace(/\brobot part\b/g, 'part')
    .replace(/\brobot parts\b/g, 'parts')
    .replace(/\brobot(s?)\b/g, 'machine$1');
}

/** An interceptor's own error arrives inside the ConnectError that the transport makes of it. */
function findFleetError(error: unknown): FleetError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof FleetError) return current;
  }
  return undefined;
}

function withStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
