import type { PartId } from '../model/ids';
import type { LogEntry } from '../model/logEntry';
import { MICROS_PER_MILLISECOND, toMicros, toMilliseconds } from '../model/timestamp';
import type { LogBuffer, ReceivedEntry } from './logBuffer';
import type { PartTail } from './partTail';

/**
 * Number of recent lines whose median timestamp determines the machine's current time. Machine
 * clocks can be wrong, and individual lines can have any timestamp.
 */
const BELIEVED_LINES = 100;
/**
 * Maximum time in microseconds by which a plausible line can be newer than the median. Lines that
 * are even newer don't affect other lines.
 */
const PLAUSIBLE_MICROS = 30_000_000;

/** State of a single part's log. */
export class PartLogState {
  private loadedSince = Infinity;
  /**
   * Time up to which lines were cleared; undefined after the user has requested some of the cleared
   * lines again.
   */
  private clearedTo: number | undefined;
  /** Timestamps of the most recent lines. */
  private recent: readonly number[] = [];
  /** Time since which lines might be missing; undefined if no lines are missing. */
  missingSince: number | undefined;
  /**
   * Number of lines that the service dropped and that were not recovered, since the lines were
   * cleared.
   */
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
   * Start of the time range in which all of the part's lines are in the buffer, in microseconds
   * since
   * 1970. `Infinity` before any lines are loaded; `-Infinity` if all lines are loaded.
   */
  get horizon(): number {
    return this.loadedSince;
  }

  /**
   * Start of the time range in which the part's lines can be shown. Earlier lines that were cleared
   * don't count as missing.
   */
  get shownSince(): number {
    return this.clearedTo === undefined ? this.loadedSince : -Infinity;
  }

  /** Records that all of the part's lines from this time on are loaded. */
  loadedFrom(micros: number): void {
    this.loadedSince = Math.min(this.loadedSince, micros);
  }

  /** Records that lines before this time were dropped. */
  markTruncatedBefore(micros: number): void {
    this.loadedSince = Math.max(this.loadedSince, micros);
    this.clearedTo = undefined;
  }

  /** Records that the part's lines were cleared. */
  cleared(): void {
    this.missed = 0;
    if (!this.isLoaded) return;
    const { newest = this.presentMicros, presentMicros } = this;
    this.loadedSince = newest + 1;
    this.clearedTo = newest > presentMicros + PLAUSIBLE_MICROS ? presentMicros : newest;
  }

  /** Records that the user requested cleared lines again. */
  missCleared(): void {
    this.clearedTo = undefined;
  }

  /** False after the part was removed. Lines that are still being read are then discarded. */
  get isFollowed(): boolean {
    return !this.tail.isDisposed;
  }

  get isLoaded(): boolean {
    return this.horizon !== Infinity;
  }

  get hasOlder(): boolean {
    return this.isLoaded && this.horizon !== -Infinity;
  }

  /** Time of the part's newest line, or an estimate if there is none. */
  get newestMicros(): number {
    return this.newest ?? toMicros(this.now());
  }

  /** Current time according to the machine's clock: the median timestamp of recent lines. */
  get presentMicros(): number {
    const times = this.recent.toSorted((a, b) => a - b);
    return times[(times.length - 1) >>> 1] ?? toMicros(this.now());
  }

  /**
   * True if the first lines are expected soon: no lines are loaded, and the tail is connecting or
   * connected.
   */
  get isLoading(): boolean {
    const { kind } = this.tail.state;
    return !this.isLoaded && (kind === 'connecting' || kind === 'live');
  }

  /** Records that lines might be missing from now on. */
  mightMiss(): void {
    this.mightMissSince(this.presentMicros);
  }

  /** Records that lines might be missing since a given time, in microseconds since 1970. */
  mightMissSince(micros: number): void {
    this.missingSince = Math.min(this.missingSince ?? micros, micros);
  }

  /** Adds live lines. */
  takeLive(entries: readonly LogEntry[]): void {
    const receivedMicros = toMicros(this.now());
    const fresh = this.ledger.dedupeLive(entries, this.now());
    this.put(
      fresh.map((entry) => ({ ...entry, receivedMicros })),
      false,
    );
  }

  /**
   * Adds lines that were read, except duplicates. @returns the number of added lines.
   * @param isRequested true if the user requested the lines.
   */
  takeRead(entries: readonly LogEntry[], isRequested: boolean): number {
    const accepted = isRequested ? entries : this.filterRetained(entries);
    const fresh = this.ledger.dedupePage(accepted, this.presentAround(accepted), this.now());
    const readMicros = toMicros(this.now());
    this.put(
      fresh.map((entry) =>
        entry.micros > readMicros ? { ...entry, receivedMicros: readMicros } : entry,
      ),
      isRequested,
    );
    return fresh.length;
  }

  /** Returns true if all of these lines are in the buffer or have been dropped. */
  knows(entries: readonly LogEntry[]): boolean {
    const retained = this.filterRetained(entries);
    return missingIn(this.presentAround(retained), retained).length === 0;
  }

  /** Excludes lines that were dropped or cleared, unless the user requested them again. */
  private filterRetained(entries: readonly LogEntry[]): readonly LogEntry[] {
    const { droppedMicros } = this.buffer;
    const left = Math.max(droppedMicros, this.clearedTo ?? -Infinity);
    return entries.filter(({ micros }) => micros > left);
  }

  /** Returns the buffered lines in the time range of the given lines. */
  private presentAround(entries: readonly LogEntry[]): readonly LogEntry[] {
    const times = entries.map(({ micros }) => micros);
    const first = times.reduce((a, b) => Math.min(a, b), Infinity);
    const last = times.reduce((a, b) => Math.max(a, b), -Infinity);
    if (times.length === 0) return [];
    const start = toMilliseconds(first) * MICROS_PER_MILLISECOND;
    const end = (toMilliseconds(last) + 1) * MICROS_PER_MILLISECOND - 1;
    return this.buffer.getLines(this.id, start, end);
  }

  private put(entries: readonly ReceivedEntry[], isRequested: boolean): void {
    if (entries.length === 0 || !this.isFollowed) return;
    const newest = entries.reduce((latest, { micros }) => Math.max(latest, micros), 0);
    this.newest = Math.max(this.newest ?? 0, newest);
    if (!isRequested) {
      const times = entries.slice(-BELIEVED_LINES).map(({ micros }) => micros);
      this.recent = [...this.recent, ...times].slice(-BELIEVED_LINES);
    }
    this.buffer.add(this.id, entries, isRequested);
  }
}

/**
 * Maximum time in milliseconds during which the tail can still deliver lines that a page has
 * already delivered.
 */
const EARLY_MS = 30_000;

/** Identity of a line within its part. The service doesn't assign IDs to lines. */
type Identity = string;

/**
 * Deduplicates a part's lines, which arrive both in pages and live. Counts identical lines, so that
 * none are lost.
 */
class LineLedger {
  /** Lines from a page that can also arrive live, with their number of occurrences. */
  private readonly early = new Map<Identity, number>();
  private earlyUntil = 0;

  /** Returns the live lines that no page has delivered. */
  dedupeLive(entries: readonly LogEntry[], now: Date): readonly LogEntry[] {
    if (this.early.size === 0) return entries;
    if (now.getTime() > this.earlyUntil) {
      this.early.clear();
      return entries;
    }
    return entries.filter((entry) => !takeOne(this.early, getIdentity(entry)));
  }

  /**
   * Returns the lines in a page that are not buffered yet. Remembers them, because the tail can
   * deliver them too.
   */
  dedupePage(
    entries: readonly LogEntry[],
    present: readonly LogEntry[],
    now: Date,
  ): readonly LogEntry[] {
    const fresh = missingIn(present, entries);
    this.earlyUntil = now.getTime() + EARLY_MS;
    for (const entry of fresh) addOne(this.early, getIdentity(entry));
    return fresh;
  }
}

/**
 * Returns a part's lines that are not buffered yet.
 * @param present buffered lines from the same part and time range.
 */
function missingIn(
  present: readonly LogEntry[],
  entries: readonly LogEntry[],
): readonly LogEntry[] {
  const there = new Map<Identity, number>();
  for (const entry of present) addOne(there, getIdentity(entry));
  return entries.filter((entry) => !takeOne(there, getIdentity(entry)));
}

function getIdentity({ micros, levelText, logger, message, fields }: LogEntry): Identity {
  return `${toMilliseconds(micros)}\n${levelText}\n${logger}\n${fields}\n${message}`;
}

function addOne(counts: Map<Identity, number>, identity: Identity): void {
  counts.set(identity, (counts.get(identity) ?? 0) + 1);
}

function takeOne(counts: Map<Identity, number>, identity: Identity): boolean {
  const count = counts.get(identity);
  if (count === undefined) return false;
  if (count === 1) counts.delete(identity);
  else counts.set(identity, count - 1);
  return true;
}
