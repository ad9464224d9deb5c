import type { PartId } from '../model/ids';
import type { LogEntry } from '../model/logEntry';
import { MICROS_PER_MILLISECOND, microsOf, millisecondsOf } from '../model/micros';
import { LineLedger, missingIn } from './lineLedger';
import type { LogBuffer } from './logBuffer';
import type { PartTail } from './partTail';

/** What is known of the log of one part. */
export class FollowedPart {
  /**
   * From when on all its lines are in the buffer, in microseconds since 1970. `Infinity` before
   * anything is loaded, `-Infinity` when everything is.
   */
  horizon = Infinity;
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

  /** Whether there is something to hope for: what its tail does not bring now may come soon. */
  get isLoading(): boolean {
    const { kind } = this.tail.state;
    return !this.isLoaded && (kind === 'connecting' || kind === 'live');
  }

  /** Notes that from now on lines may be missing. */
  mayMiss(): void {
    this.mayMissSince(this.newestMicros);
  }

  /** Notes that lines may be missing from a time on, in microseconds since 1970. */
  mayMissSince(micros: number): void {
    this.missingSince = Math.min(this.missingSince ?? micros, micros);
  }

  /** Takes in lines as they are logged. */
  takeLive(entries: readonly LogEntry[]): void {
    this.put(this.ledger.newOfLive(entries, this.now()), false);
  }

  /**
   * Takes in lines that were read, as far as they are not there. @returns how many were not.
   * @param asked somebody asked for them.
   */
  takeRead(entries: readonly LogEntry[], asked: boolean): number {
    const wanted = asked ? entries : this.keepable(entries);
    const fresh = this.ledger.newOfRead(wanted, this.presentAround(wanted), this.now());
    this.put(fresh, asked);
    return fresh.length;
  }

  /** Whether all lines that were read are there, or had to be left out since. */
  knows(entries: readonly LogEntry[]): boolean {
    const wanted = this.keepable(entries);
    return missingIn(this.presentAround(wanted), wanted).length === 0;
  }

  /** What had to be left out once is not taken in again, unless somebody asks for it. */
  private keepable(entries: readonly LogEntry[]): readonly LogEntry[] {
    const { droppedMicros } = this.buffer;
    return entries.filter(({ micros }) => micros > droppedMicros);
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

  private put(entries: readonly LogEntry[], asked: boolean): void {
    if (entries.length === 0) return;
    const newest = entries.reduce((latest, { micros }) => Math.max(latest, micros), 0);
    this.newest = Math.max(this.newest ?? 0, newest);
    this.buffer.add(this.id, entries, asked);
  }
}
