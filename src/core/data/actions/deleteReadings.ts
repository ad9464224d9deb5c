import { type FleetError, toFleetError } from '../../api/errors';
import { everyCapture } from '../../model/captureFilter';
import type { OrganizationId } from '../../model/ids';
import type { Clock } from '../../ports';
import type { ReadingsStore } from '../../stores/readingsStore';
import { daysBetween, MOST_DAYS } from './deletionBoundary';

/** One call deletes all at once and cannot be stopped; between two of these it can. */
const MOST_CALLS = 10;
const MICROS_PER_MS = 1_000;

export interface ReadingsDeletion {
  readonly organization: OrganizationId;
  /** Whole UTC days of readings that stay besides today; 0 deletes all. */
  readonly days: number;
  /** When a person agreed: the days are counted back from there, also when it is the next day in the meantime. */
  readonly agreed: Date;
}

export interface DeletionOptions {
  readonly clock: Clock;
  /** Nothing new is deleted once it aborts. */
  readonly signal: AbortSignal;
  readonly onProgress: (deleted: number) => void;
}

/** How far a deletion came. */
export interface DeletedReadings {
  readonly deleted: number;
  /** Why it ended early, when nobody canceled it. */
  readonly stopped: FleetError | undefined;
}

/**
 * Deletes readings by their age, the oldest first, in steps. @throws FleetError when nothing was deleted.
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
    const kept = step === 0 ? 0 : step + daysBetween(agreed, clock.now());
    try {
      deleted += await store.deleteOlderThan(organization, kept);
    } catch (thrown) {
      if (deleted === 0) throw thrown;
      return { deleted, stopped: toFleetError(thrown) };
    }
    onProgress(deleted);
  }
  return { deleted, stopped: undefined };
}

/** Numbers of days that stay, fewer each time, down to those that are to. */
function stepsTo(days: number, age: number): readonly number[] {
  const further = Math.max(0, Math.min(age, MOST_DAYS) - days);
  const steps = Array.from({ length: MOST_CALLS }, (_, n) =>
    Math.round(days + further * (1 - (n + 1) / MOST_CALLS)),
  );
  return [...new Set(steps)];
}
