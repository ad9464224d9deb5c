import type { PartTarget } from '../../src/core/model/resourceTarget';

/** Environment variable with the plan as JSON. */
export const restPlanVariable = 'FLEETWRIGHT_REST_PLAN';

export interface RestPlan {
  /** The part whose log is open, or undefined in a window without our extension. */
  readonly part?: PartTarget;
  /** Time for work after the start, such as compiling. */
  readonly settleMs: number;
  readonly durationMs: number;
  /** File for the result, a `RestResult` as JSON. */
  readonly result: string;
}

/** The extension host during the rest. */
export interface RestResult {
  /** Start and end of the rest, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly processorMilliseconds: number;
  /** Part of the processor time that is not spent in the kernel. */
  readonly userMilliseconds: number;
  /** How often its threads were woken up. */
  readonly wakeups: number;
  /** Number of pages of memory that had to be read from the disk again. */
  readonly majorFaults: number;
  /** Used heap after garbage collections, in bytes. */
  readonly heapBefore: number;
  readonly heapAfter: number;
  /** Resident memory at the end, in bytes. */
  readonly rss: number;
}
