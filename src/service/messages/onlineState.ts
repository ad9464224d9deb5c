import { OnlineState } from '../../gen/viam/app/v1/machine_pb';
import type { Micros } from '../store/micros';

const MICROS_PER_SECOND = 1_000_000;

/**
 * Time in seconds without contact after which a machine is considered offline. Machines report
 * every few seconds.
 */
const ONLINE_WINDOW_SECONDS = 60;

/** Returns the online state of a machine or part, derived from the time of its last contact. */
export function getOnlineState(
  lastAccess: Micros | null,
  now: Micros,
): { onlineState: OnlineState; secondsSinceOnline: bigint } {
  if (lastAccess === null) {
    return { onlineState: OnlineState.AWAITING_SETUP, secondsSinceOnline: 0n };
  }
  const seconds = Math.max(0, Math.floor((now - lastAccess) / MICROS_PER_SECOND));
  return seconds <= ONLINE_WINDOW_SECONDS
    ? { onlineState: OnlineState.ONLINE, secondsSinceOnline: 0n }
    : { onlineState: OnlineState.OFFLINE, secondsSinceOnline: BigInt(seconds) };
}
