import type {
  MachineTarget,
  OrganizationTarget,
  PartTarget,
  RegistryItemTarget,
} from '../../src/core/model/resourceTarget';

/** Environment variable with the plan as JSON. */
export const leakPlanVariable = 'FLEETWRIGHT_LEAK_PLAN';

export interface LeakPlan {
  /** Number of times that everything is opened and closed before the first measurement. */
  readonly warmUpRounds: number;
  /** Number of times that everything is opened and closed between the measurements. */
  readonly rounds: number;
  /** Names of the kinds to open; empty for all. */
  readonly kinds: readonly string[];
  /** File for the result, a `LeakResult` as JSON. */
  readonly result: string;
  /** Files for the heap snapshots before and after the measured rounds. */
  readonly snapshots: { readonly before: string; readonly after: string };
  /** File with a query, and a notebook with a query. */
  readonly queryFile: string;
  readonly notebook: string;
  readonly organization: OrganizationTarget;
  readonly machine: MachineTarget;
  readonly part: PartTarget;
  readonly registryItem: RegistryItemTarget;
}

/** Used heap of the extension host after a garbage collection, in bytes. */
export interface LeakResult {
  readonly before: number;
  readonly after: number;
  /** For each kind, the heap before its rounds and after every fifth of them. */
  readonly kinds: Readonly<Record<string, readonly number[]>>;
}
