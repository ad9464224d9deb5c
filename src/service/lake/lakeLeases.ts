import type { LakeKey, LakeTask } from '../store/data/dataSchema';
import { acquireLease, type LakeLease, releaseLease, renewLease } from '../store/data/lakeLeases';
import type { Store } from '../store/store';

/**
 * Duration of a lease in milliseconds. Other services wait this long for the work of a service that
 * crashed. It is renewed several times, so that a busy database doesn't interrupt long work.
 */
export const LEASE_MS = 5_000;
const RENEWALS_PER_LEASE = 4;

/** Lease that is renewed until its disposal. */
export interface HeldLease extends AsyncDisposable {
  readonly lease: LakeLease;
  /** Aborts when another service has acquired the lease, which makes the work useless. */
  readonly signal: AbortSignal;
  /** Resolves to true if another service has acquired the lease. */
  isLost(): Promise<boolean>;
}

/**
 * Acquires a lease unless another service holds it. Nothing depends on timely renewals: a
 * transaction that lists files checks that the lease is still the same.
 */
export async function holdLease(
  store: Store,
  key: LakeKey,
  task: LakeTask,
  durationMs: number,
): Promise<HeldLease | undefined> {
  const lease = await acquireLease(store, key, task, durationMs);
  if (lease === undefined) return undefined;
  const lost = new AbortController();
  let renewal: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    if (!(await renewLease(store, lease, durationMs))) lost.abort();
  };
  const timer = setInterval(() => {
    // If the database doesn't respond, the next renewal or the final transaction reports it.
    renewal ??= renew()
      .catch(() => undefined)
      .finally(() => (renewal = undefined));
  }, durationMs / RENEWALS_PER_LEASE);
  return {
    lease,
    signal: lost.signal,
    isLost: async () => {
      await renew();
      return lost.signal.aborted;
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await renewal;
      // An unreleased lease expires.
      await releaseLease(store, lease).catch(() => undefined);
    },
  };
}
