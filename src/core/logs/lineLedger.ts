import type { LogEntry } from '../model/logEntry';
import { toMilliseconds } from '../model/micros';

/**
 * Maximum time in milliseconds during which the tail can still deliver lines that a page has
 * already delivered.
 */
const EARLY_MS = 30_000;

/** Identity of a line within its part. The service doesn't assign IDs to lines. */
type Identity = string;

/**
 * Deduplicates the lines of a part, which arrive both in pages and live. Counts identical lines, so
 * that none are lost.
 */
export class LineLedger {
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
   * Returns the lines of a page that are not buffered yet. Remembers them, because the tail can
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
 * Returns the lines of a part that are not buffered yet.
 * @param present buffered lines of the same part and time range.
 */
export function missingIn(
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
