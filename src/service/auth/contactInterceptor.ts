import type { Interceptor } from '@connectrpc/connect';
import type { Micros } from '../store/micros';
import { recordContact } from '../store/parts';
import type { Store } from '../store/store';
import { principalKey } from './principal';

/**
 * Precision of recorded contacts. Machines poll every few seconds, and recording every poll would
 * cause unnecessary writes.
 */
const PRECISION_MICROS = 10_000_000;

/**
 * Records that a part has made a call of any kind. Must run after the interceptor that identifies
 * the caller.
 */
export function contactInterceptor(store: Store, now: () => Micros): Interceptor {
  return (next) => async (request) => {
    const { partId } = request.contextValues.get(principalKey) ?? {};
    if (partId !== undefined) {
      await recordContact(store, [partId], now(), PRECISION_MICROS);
    }
    return next(request);
  };
}
