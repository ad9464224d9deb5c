import type { LogLimits } from '../logs/logRetention';
import { usageError } from './commandError';

const BYTES_PER_MEBIBYTE = 1024 * 1024;
/** Upper limits of a hundred years and one pebibyte. Larger values are assumed to be mistakes. */
const MAX_DAYS = 36_500;
const MAX_MEBIBYTES = 1024 ** 3;
/** Default for the demo fleet, whose generated logs aren't worth retaining. */
const DEMO_MEBIBYTES = 256;

const DEMO_MACHINES = ['alive', 'still'] as const;

/** Behavior of the demo fleet's machines. */
export type DemoMachinesMode = (typeof DEMO_MACHINES)[number];

/** @throws CommandError (usage) if the text is not a valid mode. */
export function readDemoMachines(text: string): DemoMachinesMode {
  const mode = DEMO_MACHINES.find((one) => one === text);
  if (mode === undefined) {
    throw usageError(`--demo-machines must be ${DEMO_MACHINES.join(' or ')}, not "${text}"`);
  }
  return mode;
}

/**
 * Parses the retention limits for machine logs. Missing limits get their default values.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function readLogLimits(
  days: string | undefined,
  mebibytes: string | undefined,
  isDemo: boolean,
): LogLimits {
  const usual = isDemo ? String(DEMO_MEBIBYTES) : undefined;
  const size = positive('--keep-logs-mib', mebibytes ?? usual, MAX_MEBIBYTES);
  return {
    days: positive('--keep-logs-days', days, MAX_DAYS),
    bytes: size === undefined ? undefined : Math.floor(size * BYTES_PER_MEBIBYTE),
  };
}

function positive(option: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value === 0 || value > most) {
    throw usageError(
      `${option} must be a number greater than 0 and at most ${String(most)}, not "${text}"`,
    );
  }
  return value;
}
