import { machineMemory } from '../../processes/machineMemory';

/** Resource limits of a training script. */
export interface ScriptLimits {
  readonly seconds: number;
  /** Memory limit for all processes of the script together. */
  readonly memoryBytes: number;
  /** Disk limit for everything that the script writes to its folders. */
  readonly diskBytes: number;
  /**
   * Maximum number of files in the model. The service keeps all file names in memory while it packs
   * them.
   */
  readonly modelFiles: number;
  /** Time between the request to exit and the forced end. */
  readonly graceMs: number;
  /** Interval between checks of memory and disk usage. */
  readonly lookMs: number;
}

const HOUR_SECONDS = 3600;
const GIB = 1024 ** 3;
/** Share of the memory that scripts can use. The rest is for the service and other programs. */
const MEMORY_SHARE = 0.75;

/** Returns the default limits of a script on this computer. */
export function usualLimits(): ScriptLimits {
  return {
    seconds: 12 * HOUR_SECONDS,
    memoryBytes: Math.floor(machineMemory() * MEMORY_SHARE),
    diskBytes: 8 * GIB,
    modelFiles: 20_000,
    graceMs: 5_000,
    lookMs: 2_000,
  };
}
