import type { MachinePace } from '../../simulate/machines/simulatedMachine';
import { usageError } from '../files/commandError';
import { parseOptions } from './commandOptions';

export interface SimulateCommand {
  kind: 'simulate';
  /** The service's credentials file. If absent, the file in the data directory is used. */
  credentialsFile: string | undefined;
  /** Data directory; if absent, the platform's default. */
  dataDirectory: string | undefined;
  /** The service's URL; if absent, the URL in the credentials file. */
  url: string | undefined;
  machines: number;
  pace: MachinePace;
  /** Duration of the simulation. If absent, the simulation runs until the process is stopped. */
  seconds: number | undefined;
  seed: string;
}

export const SIMULATE_HELP = `Usage: service simulate [options]\n\nRuns simulated machines against a fleet service over the network: they sign in with their own\nsecrets, fetch their configs, log, upload readings, images, and point clouds, restart on request,\nand sometimes go offline. Their activity is written to stderr. Press Ctrl+C to stop.\n\nFleet\n  --credentials FILE       credentials file of the service (default: in the data directory)\n  --data DIR               data directory of the service (default: the platform's data directory)\n  --url URL                URL of the service (default: from the credentials file)\n  --machines N             number of machines (default: 5); if the fleet has none, four are created\n\nActivity\n  --lines-per-second N     log lines per second for each machine (default: 2)\n  --readings-every S       seconds between readings of each component (default: 10; 0 for never)\n  --images-every S         seconds between images (default: 60; 0 for never)\n  --clouds-every S         seconds between point clouds (default: 300; 0 for never)\n  --absences-per-hour N    how often each machine goes offline for a while (default: 6)\n  --seconds S              stop after this many seconds\n  --seed TEXT              the same seed simulates the same machines (default: fleetwright)\n  --help\n`;

const OPTIONS = {
  credentials: { type: 'string' },
  data: { type: 'string' },
  url: { type: 'string' },
  machines: { type: 'string', default: '5' },
  'lines-per-second': { type: 'string', default: '2' },
  'readings-every': { type: 'string', default: '10' },
  'images-every': { type: 'string', default: '60' },
  'clouds-every': { type: 'string', default: '300' },
  'absences-per-hour': { type: 'string', default: '6' },
  seconds: { type: 'string' },
  seed: { type: 'string', default: 'fleetwright' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const SECONDS_PER_HOUR = 3600;
const MAX_MACHINES = 1000;
const MAX_LINES = 10_000;
/** Maximum duration of a simulation in seconds, which is one day. */
const MAX_SECONDS = 86_400;

/**
 * Parses the arguments of `simulate`; undefined if help is requested.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function parseSimulate(args: string[]): SimulateCommand | undefined {
  const { values } = parseOptions({ args, options: OPTIONS, allowPositionals: false });
  if (values.help) return undefined;
  const number = (name: keyof typeof values, highest: number): number =>
    parseNumber(name, String(values[name]), highest);
  return {
    kind: 'simulate',
    credentialsFile: values.credentials,
    dataDirectory: values.data,
    url: values.url,
    machines: Math.max(1, Math.floor(number('machines', MAX_MACHINES))),
    pace: {
      linesPerSecond: number('lines-per-second', MAX_LINES),
      readingsEvery: number('readings-every', MAX_SECONDS),
      imagesEvery: number('images-every', MAX_SECONDS),
      cloudsEvery: number('clouds-every', MAX_SECONDS),
      absencesPerSecond: number('absences-per-hour', SECONDS_PER_HOUR) / SECONDS_PER_HOUR,
    },
    seconds: values.seconds === undefined ? undefined : number('seconds', MAX_SECONDS),
    seed: values.seed,
  };
}

function parseNumber(name: string, text: string, highest: number): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value > highest) {
    throw usageError(`--${name} must be a number from 0 to ${String(highest)}, not "${text}"`);
  }
  return value;
}
