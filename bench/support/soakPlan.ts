import type {
  MachineTarget,
  OrganizationTarget,
  PartTarget,
} from '../../src/core/model/resourceTarget';

/** Environment variable with the plan as JSON. */
export const soakPlanVariable = 'FLEETWRIGHT_SOAK_PLAN';

export interface SoakPlan {
  /** File to which the entries are appended, one as JSON per line. */
  readonly record: string;
  /** File whose existence ends the run. */
  readonly stopFile: string;
  readonly stepEveryMs: number;
  readonly memoryEveryMs: number;
  /** File for a heap snapshot at the end of the run; absent for none. */
  readonly snapshot?: string;
  readonly organization: OrganizationTarget;
  /** Machine whose config is edited. */
  readonly machine: MachineTarget;
  /** Part whose log is shown. */
  readonly part: PartTarget;
}
