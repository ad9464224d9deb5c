import { type FleetError, toFleetError } from '../../api/errors';
import { everyCapture } from '../../model/captureFilter';
import type { OrganizationId } from '../../model/ids';
import type { Clock } from '../../ports';
import type { ReadingsStore } from '../../stores/readingsStore';

/**
 * Maximum number of calls for a deletion. A single call can't be interrupted, but a deletion in
 * multiple calls can be canceled between calls.
 */
const MAX_CALLS = 10;
const MICROS_PER_MS = 1_000;

export interface ReadingsDeletion {
  readonly organization: OrganizationId;
  /**
   * Number of whole UTC days of readings to keep, in addition to today; 0 to delete all readings.
   */
  readonly days: number;
  /**
   * Time of the user's confirmation. The days are counted back from this time, even if it is
   * already the next day when the deletion runs.
   */
  readonly agreed: Date;
}

export interface DeletionOptions {
  readonly clock: Clock;
  /** When the signal aborts, no new call is started. */
  readonly signal: AbortSignal;
  readonly onProgress: (deleted: number) => void;
}

/** Outcome of a deletion. */
export interface DeletedReadings {
  readonly deleted: number;
  /** Error that ended the deletion early; undefined if the deletion was canceled or finished. */
  readonly stopped: FleetError | undefined;
}

/**
 * Deletes readings by age in steps, the oldest first. @throws FleetError if it fails before
 * anything was deleted.
 */
export async function deleteReadings(
  store: Pick<ReadingsStore, 'deleteOlderThan' | 'page'>,
  { organization, days, agreed }: ReadingsDeletion,
  { clock, signal, onProgress }: DeletionOptions,
): Promise<DeletedReadings> {
  const filter = { ...everyCapture, organizationIds: [organization] };
  const { readings } = await store.page({ filter, order: 'oldestFirst', limit: 1 }, signal);
  const [oldest] = readings;
  const age = oldest ? daysBetween(new Date(oldest.at / MICROS_PER_MS), agreed) : days;
  let deleted = 0;
  for (const step of stepsTo(days, age)) {
    if (signal.aborted) break;
    const retentionDays = step === 0 ? 0 : step + daysBetween(agreed, clock.now());
    try {
      deleted += await store.deleteOlderThan(organization, retentionDays);
    } catch (thrown) {
      if (deleted === 0) throw thrown;
      return { deleted, stopped: toFleetError(thrown) };
    }
    onProgress(deleted);
  }
  return { deleted, stopped: undefined };
}

/** Returns decreasing numbers of days to keep, down to the requested number. */
function stepsTo(days: number, age: number): readonly number[] {
  const extraDays = Math.max(0, Math.min(age, MAX_DAYS) - days);
  const steps = Array.from({ length: MAX_CALLS }, (_, n) =>
    Math.round(days + extraDays * (1 - (n + 1) / MAX_CALLS)),
  );
  return [...new Set(steps)];
}

const DAY_MS = 86_400_000;
/**
 * Maximum number of days. There are no readings before 1970, and services reject dates in the
 * distant past.
 */
const MAX_DAYS = 20_000;

/**
 * Returns the first timestamp, in microseconds since 1970, that is kept when readings older than
 * this number of days are deleted. Days are whole UTC days (spec part 1), so everything that was
 * captured on the last retained day is kept.
 */
export function getRetentionStartMicros(now: Date, days: number): number {
  return (toUtcDay(now) - days) * DAY_MS * MICROS_PER_MS;
}

/** Returns the number of UTC days that began between two timestamps. */
function daysBetween(from: Date, to: Date): number {
  return toUtcDay(to) - toUtcDay(from);
}

/** Parses a number of days that the user entered; returns undefined if the number is invalid. */
export function parseDays(text: string): number | undefined {
  const days = /^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined;
  return days !== undefined && days <= MAX_DAYS ? days : undefined;
}

function toUtcDay(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}
