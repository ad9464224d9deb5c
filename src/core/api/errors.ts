/** What went wrong, in the terms that decide what happens next. */
export type FleetErrorKind =
  | 'unauthenticated'
  | 'permission'
  | 'notFound'
  | 'conflict'
  | 'invalid'
  | 'unavailable'
  | 'unsupported'
  /** What was stored is damaged or missing: the service works, and another try reads the same. */
  | 'damaged'
  | 'canceled'
  | 'internal';

/** What a person can do about an error; each place that presents errors offers it as a button. */
export type FleetErrorAction =
  | 'retry'
  | 'signIn'
  | 'trustAuthority'
  | 'startLocalFleet'
  | 'showLog'
  | 'manageTrust';

/** One field of a request that the service refused. */
export interface FieldViolation {
  /** A path such as `components[0].name`; empty when the whole request is meant. */
  readonly field: string;
  readonly message: string;
}

interface FleetErrorOptions {
  readonly cause?: unknown;
  readonly action?: FleetErrorAction | undefined;
  readonly violations?: readonly FieldViolation[];
  readonly requestId?: string | undefined;
  readonly serviceMessage?: string | undefined;
}

/**
 * The one error of this product. Its message says what failed, for which resource, and what to do;
 * decisions are made by `kind`, never by the message.
 */
export class FleetError extends Error {
  override readonly name = 'FleetError';
  readonly action: FleetErrorAction | undefined;
  readonly violations: readonly FieldViolation[];
  /** The ID under which the service logs the call, when it names one. */
  readonly requestId: string | undefined;
  /** The service's own message, which the user sees only under Details unless it is part of `message`. */
  readonly serviceMessage: string | undefined;

  constructor(
    readonly kind: FleetErrorKind,
    message: string,
    options: FleetErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.action = options.action;
    this.violations = options.violations ?? [];
    this.requestId = options.requestId;
    this.serviceMessage = options.serviceMessage;
  }
}

/** What ends a question that a person leaves. */
export function canceled(): FleetError {
  return new FleetError('canceled', 'Canceled.');
}

/** Whether the work was stopped on purpose, which is never shown as a failure. */
export function isCanceled(error: unknown): boolean {
  if (error instanceof FleetError) return error.kind === 'canceled';
  return error instanceof Error && error.name === 'AbortError';
}

/**
 * Whether a call ended without a word of what became of it, so that it may have been done all the same:
 * anyone who cancels it may do so after its last byte.
 */
export function lacksAnswer({ kind, cause }: FleetError): boolean {
  if (kind === 'unavailable' || kind === 'canceled') return true;
  // A sign-out closes the connection, and tells of that as its cause.
  return cause instanceof FleetError && lacksAnswer(cause);
}

/** Makes a `FleetError` of anything that was thrown. */
export function toFleetError(error: unknown): FleetError {
  if (error instanceof FleetError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new FleetError(isCanceled(error) ? 'canceled' : 'internal', message, { cause: error });
}
