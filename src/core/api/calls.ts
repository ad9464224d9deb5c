import type { CallOptions } from '@connectrpc/connect';
import { FleetError } from './errors';

/** Call options that carry a signal when there is one. */
export function withSignal(signal: AbortSignal | undefined): CallOptions {
  return signal ? { signal } : {};
}

/** The message an answer must carry; `what` names it, such as "the part". */
export function required<T>(message: T | undefined, what: string): T {
  if (message === undefined) {
    throw new FleetError('internal', `The response of the service doesn't include ${what}.`, {
      action: 'retry',
    });
  }
  return message;
}
