import { machineMemory } from '../../processes/machineMemory';

/** Resource limits of a training script. */
export interface ScriptLimits {
  readonly seconds: number;
  /** Memory limit for all processes of the script together. */
  readonly memoryBytes: number;
  /** Disk limit for everything that the script writes to its folders. */
  readonly diskBytes: number;
  /**
   * Maximum number of files in the model. It is limited because the service stores all file names
   * in memory while it packs the files.
   */
  readonly modelFiles: number;
  /** Time in milliseconds between the request to exit and forced termination. */
  readonly graceMs: number;
  /** Interval in milliseconds between checks of memory and disk usage. */
  readonly checkIntervalMs: number;
}

const HOUR_SECONDS = 3600;
const GIB = 1024 ** 3;
/**
 * Share of the memory that scripts can use. The remainder is for the service and other programs.
 */
const MEMORY_SHARE = 0.75;

/** Returns the default limits for a script on this computer. */
export function usualLimits(): ScriptLimits {
  return {
    seconds: 12 * HOUR_SECONDS,
    memoryBytes: Math.floor(machineMemory() * MEMORY_SHARE),
    diskBytes: 8 * GIB,
    modelFiles: 20_000,
    graceMs: 5_000,
    checkIntervalMs: 2_000,
  };
}
