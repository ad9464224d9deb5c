import { OnlineState } from '../../gen/viam/app/v1/machine_pb';
import type { Micros } from '../store/micros';

const MICROS_PER_SECOND = 1_000_000;

/** A machine that has been silent for longer than this is offline; it reports every few seconds. */
const ONLINE_WINDOW_SECONDS = 60;

/** What the time of the last contact says about a machine or part at a moment. */
export function onlineStateOf(
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
