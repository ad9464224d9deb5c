import type { Interceptor } from '@connectrpc/connect';
import type { Micros } from '../store/micros';
import { recordContact } from '../store/parts';
import type { Store } from '../store/store';
import { principalKey } from './principal';

/** Machines ask again every few seconds: not each time is worth a write. */
const PRECISION_MICROS = 10_000_000;

/** Notes that a part called, whatever it called for. It stands behind what tells who calls. */
export function contactInterceptor(store: Store, now: () => Micros): Interceptor {
  return (next) => async (request) => {
    const { partId } = request.contextValues.get(principalKey) ?? {};
    if (partId !== undefined) {
      await recordContact(store, [partId], now(), PRECISION_MICROS);
    }
    return next(request);
  };
}
