import type { CallOptions } from '@connectrpc/connect';
import { FleetError } from './errors';

/** Returns call options that include the signal, if it is defined. */
export function withSignal(signal: AbortSignal | undefined): CallOptions {
  return signal ? { signal } : {};
}

/**
 * Returns a message that a response must contain; `what` is its name for the error, such as "the
 * part".
 */
export function required<T>(message: T | undefined, what: string): T {
  if (message === undefined) {
    throw new FleetError('internal', `The response of the service doesn't include ${what}.`, {
      action: 'retry',
    });
  }
  return message;
}
