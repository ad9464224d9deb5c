import { machineMemory } from '../../processes/machineMemory';

/** What a training script may take. */
export interface ScriptLimits {
  readonly seconds: number;
  /** Of all its processes together. */
  readonly memoryBytes: number;
  /** Of all that it writes into its folders. */
  readonly diskBytes: number;
  /** Between being asked to end and being ended. */
  readonly graceMs: number;
  /** Between two looks at memory and disk. */
  readonly lookMs: number;
}

const HOUR_SECONDS = 3600;
const GIB = 1024 ** 3;
/** The rest is for the service and for everybody else. */
const MEMORY_SHARE = 0.75;

/** What a script may take on this machine, where it is not said otherwise. */
export function usualLimits(): ScriptLimits {
  return {
    seconds: 12 * HOUR_SECONDS,
    memoryBytes: Math.floor(machineMemory() * MEMORY_SHARE),
    diskBytes: 8 * GIB,
    graceMs: 5_000,
    lookMs: 2_000,
  };
}
