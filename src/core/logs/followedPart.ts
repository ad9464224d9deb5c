import type { PartId } from '../model/ids';
import type { LogEntry } from '../model/logEntry';
import { MICROS_PER_MILLISECOND, microsOf, millisecondsOf } from '../model/micros';
import { LineLedger, missingIn } from './lineLedger';
import type { LogBuffer, ReceivedEntry } from './logBuffer';
import type { PartTail } from './partTail';

/** Clocks of machines are wrong at times, and single lines may tell any time: what most of so many tell is believed. */
const BELIEVED_LINES = 100;
/** A newer line than most by more than this is no measure for others. */
const PLAUSIBLE_MICROS = 30_000_000;

/** What is known of the log of one part. */
export class FollowedPart {
  private loadedSince = Infinity;
  /** Lines up to this time were cleared away; undefined once some of them were asked for again. */
  private clearedTo: number | undefined;
  /** The times of the lines that came last. */
  private recent: readonly number[] = [];
  /** Lines may be missing since then; undefined when none are. */
  missingSince: number | undefined;
  /** Lines that the service left out and that were not found again. */
  missed = 0;
  private newest: number | undefined;
  private readonly ledger = new LineLedger();

  constructor(
    readonly id: PartId,
    readonly tail: PartTail,
    private readonly buffer: LogBuffer,
    private readonly now: () => Date,
  ) {}

  /**
   * From when on all its lines are in the buffer, in microseconds since 1970. `Infinity` before
   * anything is loaded, `-Infinity` when everything is.
   */
  get horizon(): number {
    return this.loadedSince;
  }

  /** From when on its lines may be shown: after it was cleared nobody misses those of before. */
  get shownSince(): number {
    return this.clearedTo === undefined ? this.loadedSince : -Infinity;
  }

  /** More is loaded: all its lines from this time on. */
  loadedFrom(micros: number): void {
    this.loadedSince = Math.min(this.loadedSince, micros);
  }

  /** What was logged before this time had to be left out. */
  leftOutBefore(micros: number): void {
    this.loadedSince = Math.max(this.loadedSince, micros);
    this.clearedTo = undefined;
  }

  /** Its lines were cleared away. */
  cleared(): void {
    if (!this.isLoaded) return;
    const { newest = this.presentMicros, presentMicros } = this;
    this.loadedSince = newest + 1;
    this.clearedTo = newest > presentMicros + PLAUSIBLE_MICROS ? presentMicros : newest;
  }

  /** What was cleared away is asked for again. */
  missCleared(): void {
    this.clearedTo = undefined;
  }

  get isLoaded(): boolean {
    return this.horizon !== Infinity;
  }

  get hasOlder(): boolean {
    return this.isLoaded && this.horizon !== -Infinity;
  }

  /** The time of its newest line, or a guess where it has none. */
  get newestMicros(): number {
    return this.newest ?? microsOf(this.now());
  }

  /** How late it is by its clock, as most of its last lines tell. */
  get presentMicros(): number {
    const times = this.recent.toSorted((a, b) => a - b);
    return times[(times.length - 1) >>> 1] ?? microsOf(this.now());
  }

  /** Whether there is something to hope for: what its tail does not bring now may come soon. */
  get isLoading(): boolean {
    const { kind } = this.tail.state;
    return !this.isLoaded && (kind === 'connecting' || kind === 'live');
  }

  /** Notes that from now on lines may be missing. */
  mayMiss(): void {
    this.mayMissSince(this.presentMicros);
  }

  /** Notes that lines may be missing from a time on, in microseconds since 1970. */
  mayMissSince(micros: number): void {
    this.missingSince = Math.min(this.missingSince ?? micros, micros);
  }

  /** Takes in lines as they are logged. */
  takeLive(entries: readonly LogEntry[]): void {
    const receivedMicros = microsOf(this.now());
    const fresh = this.ledger.newOfLive(entries, this.now());
    this.put(
      fresh.map((entry) => ({ ...entry, receivedMicros })),
      false,
    );
  }

  /**
   * Takes in lines that were read, as far as they are not there. @returns how many were not.
   * @param asked somebody asked for them.
   */
  takeRead(entries: readonly LogEntry[], asked: boolean): number {
    const wanted = asked ? entries : this.keepable(entries);
    const fresh = this.ledger.newOfRead(wanted, this.presentAround(wanted), this.now());
    const readMicros = microsOf(this.now());
    this.put(
      fresh.map((entry) =>
        entry.micros > readMicros ? { ...entry, receivedMicros: readMicros } : entry,
      ),
      asked,
    );
    return fresh.length;
  }

  /** Whether all lines that were read are there, or had to be left out since. */
  knows(entries: readonly LogEntry[]): boolean {
    const wanted = this.keepable(entries);
    return missingIn(this.presentAround(wanted), wanted).length === 0;
  }

  /** What was left out or cleared away is not taken in again, unless somebody asks for it. */
  private keepable(entries: readonly LogEntry[]): readonly LogEntry[] {
    const { droppedMicros } = this.buffer;
    const left = Math.max(droppedMicros, this.clearedTo ?? -Infinity);
    return entries.filter(({ micros }) => micros > left);
  }

  /** What is there of the stretch of time of some lines. */
  private presentAround(entries: readonly LogEntry[]): readonly LogEntry[] {
    const times = entries.map(({ micros }) => micros);
    const first = times.reduce((a, b) => Math.min(a, b), Infinity);
    const last = times.reduce((a, b) => Math.max(a, b), -Infinity);
    if (times.length === 0) return [];
    const start = millisecondsOf(first) * MICROS_PER_MILLISECOND;
    const end = (millisecondsOf(last) + 1) * MICROS_PER_MILLISECOND - 1;
    return this.buffer.linesOf(this.id, start, end);
  }

  private put(entries: readonly ReceivedEntry[], asked: boolean): void {
    if (entries.length === 0) return;
    const newest = entries.reduce((latest, { micros }) => Math.max(latest, micros), 0);
    this.newest = Math.max(this.newest ?? 0, newest);
    if (!asked) {
      const times = entries.slice(-BELIEVED_LINES).map(({ micros }) => micros);
      this.recent = [...this.recent, ...times].slice(-BELIEVED_LINES);
    }
    this.buffer.add(this.id, entries, asked);
  }
}
