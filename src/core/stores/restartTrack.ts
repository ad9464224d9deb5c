import { forEachBounded } from '../../base/bounded';
import { FleetError } from '../api/errors';
import type { Clock, Sleep } from '../ports';
import type { PartContact } from './partStore';

/**
 * Maximum time in milliseconds at one stage. Machines poll for restart requests every few seconds
 * and take some time to start.
 */
const STAGE_TIMEOUT_MS = 120_000;
const INTERVAL_MS = 1_000;
/**
 * Polling interval in milliseconds per tracked part. The interval grows with the number of parts,
 * so that there are at most ten calls per second.
 */
const INTERVAL_PER_PART_MS = 100;
const CONCURRENT_CALLS = 6;

export interface TrackOptions<T> {
  /**
   * Reads a part's contact from the service. @throws FleetError `notFound` if the part was deleted.
   */
  readonly read: (part: T, signal: AbortSignal) => Promise<PartContact>;
  readonly clock: Clock;
  readonly sleep: Sleep;
  /** Stops the tracking without canceling any restart requests. */
  readonly signal: AbortSignal;
  /** Called after each poll of all parts. */
  readonly onPoll: (tracks: readonly RestartTrack<T>[]) => void;
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
  const { clock, sleep, signal, onPoll } = options;
  const tracks = parts.map((part) => new RestartTrack(part, clock.now()));
  for (;;) {
    const open = tracks.filter(({ end }) => end === undefined);
    await forEachBounded(open, CONCURRENT_CALLS, (track) => pollPart(track, options));
    for (const track of open) {
      const waited = clock.now().getTime() - track.since.getTime();
      if (signal.aborted) track.end ??= 'stopped';
      else if (waited >= STAGE_TIMEOUT_MS) track.end ??= 'late';
    }
    onPoll(tracks);
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

/**
 * Stage of a restart: `marked` (requested) until the machine checks in; `told` after the machine
 * has acknowledged the request; `started` after the machine has signed in again; `online` after it
 * has checked in again. If the service doesn't report restart requests, the only known stage is
 * `called`: the machine has checked in since the request.
 */
export type RestartStage = 'marked' | 'told' | 'started' | 'online' | 'called';

/**
 * Reason that a restart is no longer tracked: it reached the last observable stage (`done`), the
 * machine wasn't online when the restart was requested (`away`), it made no progress for too long
 * (`late`), the part was deleted (`gone`), or the user stopped the tracking (`stopped`).
 */
export type RestartEnd = 'done' | 'away' | 'late' | 'gone' | 'stopped';

/** Progress of one part, from the restart request until the part is back online. */
export class RestartTrack<T> {
  stage: RestartStage = 'marked';
  /** Reason that the tracking ended; undefined while the restart is tracked. */
  end: RestartEnd | undefined;
  /** Most recently read contact. */
  contact: PartContact | undefined;
  /** Last contact before the machine began to restart. */
  private before: Date | undefined;

  constructor(
    readonly part: T,
    /** Time when the stage was reached; initially the request time. */
    public since: Date,
  ) {}

  /** Updates the progress based on the current contact. */
  take(contact: PartContact, now: Date): void {
    const first = this.contact === undefined;
    this.contact = contact;
    if (first) {
      this.before = contact.lastAccess;
      if (contact.restart !== 'told' && isAway(contact)) {
        this.end = 'away';
        return;
      }
    }
    const stage = this.getStage(contact);
    if (contact.restart === 'asked' || contact.restart === 'told') this.before = contact.lastAccess;
    if (stage === this.stage) return;
    this.stage = stage;
    this.since = now;
    if (stage === 'online' || stage === 'called') this.end = 'done';
  }

  private getStage(contact: PartContact): RestartStage {
    const called = isLater(contact.lastAccess, this.before);
    switch (contact.restart) {
      case 'asked':
        return 'marked';
      case 'told':
        return 'told';
      case 'none':
        return called && contact.status === 'online' ? 'online' : 'started';
      case undefined:
        return called ? 'called' : 'marked';
    }
  }
}

function isAway({ status }: PartContact): boolean {
  return status === 'offline' || status === 'awaitingSetup';
}

function isLater(time: Date | undefined, than: Date | undefined): boolean {
  return time !== undefined && (than === undefined || time.getTime() > than.getTime());
}
