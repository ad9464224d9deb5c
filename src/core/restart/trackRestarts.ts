import { forEachBounded } from '../../base/bounded';
import { FleetError } from '../api/errors';
import type { Clock, Sleep } from '../ports';
import type { PartContact } from '../stores/partStore';
import { RestartTrack } from './restartTrack';

/**
 * Maximum time at one stage. Machines poll for restart requests every few seconds and take some
 * time to start.
 */
const PATIENCE_MS = 120_000;
const INTERVAL_MS = 1_000;
/**
 * Polling interval for each tracked part. With many parts, each part is polled less often, so that
 * there are at most ten calls per second.
 */
const INTERVAL_PER_PART_MS = 100;
const CONCURRENT_CALLS = 6;

export interface TrackOptions<T> {
  /**
   * Reads the contact of a part from the service. @throws FleetError `notFound` if the part was
   * deleted.
   */
  readonly read: (part: T, signal: AbortSignal) => Promise<PartContact>;
  readonly clock: Clock;
  readonly sleep: Sleep;
  /** Stops the tracking without canceling any restart requests. */
  readonly signal: AbortSignal;
  /** Called after each poll of all parts. */
  readonly onPoll: (tracks: readonly RestartTrack<T>[]) => void;
  /** Maximum time in milliseconds at one stage. */
  readonly patienceMs?: number;
}

/**
 * Tracks parts with a new restart request until each part is back online or makes no progress for
 * too long. Retries when the service doesn't respond. Never throws.
 * @returns the final state of each part, in the order of the parts.
 */
export async function trackRestarts<T>(
  parts: readonly T[],
  options: TrackOptions<T>,
): Promise<readonly RestartTrack<T>[]> {
  const { clock, sleep, signal, onPoll: onLook, patienceMs = PATIENCE_MS } = options;
  const tracks = parts.map((part) => new RestartTrack(part, clock.now()));
  for (;;) {
    const open = tracks.filter(({ end }) => end === undefined);
    await forEachBounded(open, CONCURRENT_CALLS, (track) => pollPart(track, options));
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

async function pollPart<T>(
  track: RestartTrack<T>,
  { read, clock, signal }: TrackOptions<T>,
): Promise<void> {
  if (signal.aborted) return;
  try {
    track.take(await read(track.part, signal), clock.now());
  } catch (error) {
    if (error instanceof FleetError && error.kind === 'notFound') track.end = 'gone';
  }
}
