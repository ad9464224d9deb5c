/** Kinds of errors, grouped by how callers handle them. */
export type FleetErrorKind =
  | 'unauthenticated'
  | 'permission'
  | 'notFound'
  | 'conflict'
  | 'invalid'
  | 'unavailable'
  | 'unsupported'
  /**
   * Stored data is damaged or missing. The service works, but a retry would have the same result.
   */
  | 'damaged'
  | 'canceled'
  | 'internal';

/** Recovery action that the user can take. Every view that shows errors offers it as a button. */
export type FleetErrorAction =
  | 'retry'
  | 'signIn'
  | 'trustAuthority'
  | 'startLocalFleet'
  | 'showLog'
  | 'manageTrust'
  | 'allowChanges';

/** Request field that the service rejected. */
export interface FieldViolation {
  /** Path of the field, such as `components[0].name`; empty for the whole request. */
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
 * The only error type of this product. Its message says what failed, for which resource, and what
 * to do. Code must check the `kind`, never the message.
 */
export class FleetError extends Error {
  override readonly name = 'FleetError';
  readonly action: FleetErrorAction | undefined;
  readonly violations: readonly FieldViolation[];
  /**
   * ID that identifies the call in the service's log; undefined if the service doesn't provide one.
   */
  readonly requestId: string | undefined;
  /**
   * The service's own message, which the user sees only under Details unless `message` includes it.
   */
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

/** Returns the error for a prompt that the user dismissed. */
export function canceled(): FleetError {
  return new FleetError('canceled', 'Canceled.');
}

/**
 * Returns true if the work was canceled intentionally. Cancellations are never shown as failures.
 */
export function isCanceled(error: unknown): boolean {
  if (error instanceof FleetError) return error.kind === 'canceled';
  return error instanceof Error && error.name === 'AbortError';
}

/**
 * Returns true if a call ended without a response. The service might have completed such a call
 * anyway, for example when the caller canceled it after sending the last byte.
 */
export function isOutcomeUnknown({ kind, cause }: FleetError): boolean {
  if (kind === 'unavailable' || kind === 'canceled') return true;
  // Signing out closes the connection; the error of the interrupted call is then the cause of this
  // error.
  return cause instanceof FleetError && isOutcomeUnknown(cause);
}

/** Converts any thrown value to a `FleetError`. */
export function toFleetError(error: unknown): FleetError {
  if (error instanceof FleetError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new FleetError(isCanceled(error) ? 'canceled' : 'internal', message, { cause: error });
}

/** Adds a period unless the text ends with a punctuation mark. */
export function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
