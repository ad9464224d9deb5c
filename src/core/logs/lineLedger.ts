import type { LogEntry } from '../model/logEntry';
import { millisecondsOf } from '../model/micros';

/** How long the tail may still bring what a page has brought already. */
const EARLY_MS = 30_000;

/** What tells one line from others of its part: lines have no id on the wire. */
type Identity = string;

/**
 * Lines of a part come on two ways: page by page, and as they are logged. The ledger tells which of
 * them are there already. Lines that are alike in everything are told apart by their number.
 */
export class LineLedger {
  /** Lines that a page brought, and that the tail may bring as well. */
  private readonly early = new Map<Identity, number>();
  private earlyUntil = 0;

  /** Of lines that come live, those that no page has brought before. */
  newOfLive(entries: readonly LogEntry[], now: Date): readonly LogEntry[] {
    if (this.early.size === 0) return entries;
    if (now.getTime() > this.earlyUntil) {
      this.early.clear();
      return entries;
    }
    return entries.filter((entry) => !takeOne(this.early, identityOf(entry)));
  }

  /** Of lines that were read, those that are not there, and remembers them: the tail may bring them too. */
  newOfRead(
    entries: readonly LogEntry[],
    present: readonly LogEntry[],
    now: Date,
  ): readonly LogEntry[] {
    const fresh = missingIn(present, entries);
    this.earlyUntil = now.getTime() + EARLY_MS;
    for (const entry of fresh) addOne(this.early, identityOf(entry));
    return fresh;
  }
}

/**
 * Of some lines of a part, those that are not there.
 * @param present what is there of the same part and stretch of time.
 */
export function missingIn(
  present: readonly LogEntry[],
  entries: readonly LogEntry[],
): readonly LogEntry[] {
  const there = new Map<Identity, number>();
  for (const entry of present) addOne(there, identityOf(entry));
  return entries.filter((entry) => !takeOne(there, identityOf(entry)));
}

function identityOf({ micros, levelText, logger, message, fields }: LogEntry): Identity {
  return `${millisecondsOf(micros)}\n${levelText}\n${logger}\n${fields}\n${message}`;
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
