import { forEachBounded } from '../../base/bounded';
import { FleetError } from '../api/errors';
import type { Clock, Sleep } from '../ports';
import type { PartContact } from '../stores/partStore';
import { RestartTrack } from './restartTrack';

/** Machines ask every few seconds whether they are to restart, and take a while to start. */
const PATIENCE_MS = 120_000;
const INTERVAL_MS = 1_000;
/** Many parts are looked at less often: not more than ten calls a second. */
const INTERVAL_PER_PART_MS = 100;
const CONCURRENT_CALLS = 6;

export interface FollowOptions<T> {
  /** Asks the service for the part. @throws FleetError `notFound` when it is gone. */
  readonly read: (part: T, signal: AbortSignal) => Promise<PartContact>;
  readonly clock: Clock;
  readonly sleep: Sleep;
  /** Stops following, which takes no mark back. */
  readonly signal: AbortSignal;
  /** Called after each look at all parts. */
  readonly onLook: (tracks: readonly RestartTrack<T>[]) => void;
  /** How long a part may stay at one stage, in milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Follows parts that were just marked for restart until each is back online, or does nothing for too
 * long. A service that does not answer in the meantime is asked again. Throws nothing.
 * @returns how far each has come, in the order of the parts.
 */
export async function followRestarts<T>(
  parts: readonly T[],
  options: FollowOptions<T>,
): Promise<readonly RestartTrack<T>[]> {
  const { clock, sleep, signal, onLook, patienceMs = PATIENCE_MS } = options;
  const tracks = parts.map((part) => new RestartTrack(part, clock.now()));
  for (;;) {
    const open = tracks.filter(({ end }) => end === undefined);
    await forEachBounded(open, CONCURRENT_CALLS, (track) => look(track, options));
    for (const track of open) {
      const waited = clock.now().getTime() - track.since.getTime();
      if (signal.aborted) track.end ??= 'stopped';
      else if (waited >= patienceMs) track.end ??= 'late';
    }
    onLook(tracks);
    if (tracks.every(({ end }) => end !== undefined)) return tracks;
    const interval = Math.max(INTERVAL_MS, open.length * INTERVAL_PER_PART_MS);
    await sleep(interval, signal).catch(() => undefined);
  }
}

async function look<T>(
  track: RestartTrack<T>,
  { read, clock, signal }: FollowOptions<T>,
): Promise<void> {
  if (signal.aborted) return;
  try {
    track.take(await read(track.part, signal), clock.now());
  } catch (error) {
    if (error instanceof FleetError && error.kind === 'notFound') track.end = 'gone';
  }
}
