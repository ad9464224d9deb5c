import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { FillCounts } from '../../src/simulate/fill/fillFleet';
import type { TimeSpan } from '../../src/simulate/fill/fillPlan';

export const demoDataUsage = `Usage: npm run demo-data -- [options]

Fills a fleet with captured data, as its machines would: through the upload operations, signed in with
the secrets of their parts. The data is tagged "demo-data".

Amount
  --readings N        number of readings of sensors, motors, batteries, … (default: 100000)
  --images N          number of images of a warehouse, most of them with labeled boxes (default: 50)
  --pointclouds N     number of scans of the warehouse (default: 6)
  --days N            number of days over which the data is spread (default: 30)
  --until TIME        the end of these days, such as 2026-11-21T12:00:00Z (default: now)
  --machines N        maximum number of machines that capture the data, online ones first (default: 8).
                      If a fleet has no machines, some are created in a location "Demo data"
  --seed TEXT         seed of the data: with the same --until, it creates the same data again (default: 1)

Fleet (default: the running one of npm start, or else of this user; if none is running, the service of
npm start runs until the data has been added)
  --credentials FILE  credentials.json that a service has written
  --url URL           URL of the service, if it isn't that in the file. Without the file, the key is in
                      the environment: SVC_API_KEY_ID and SVC_API_KEY
  --organization ID   ID or name of the organization, if it isn't that of the file

  --help
`;

const MS_PER_DAY = 24 * 3600 * 1000;

/** The fleet that the user specified. */
export interface FleetChoice {
  /** Absolute path of the credentials file. */
  credentialsFile: string | undefined;
  url: string | undefined;
  organization: string | undefined;
}

export interface DemoDataOptions {
  counts: FillCounts;
  machines: number;
  span: TimeSpan;
  seed: string;
  fleet: FleetChoice;
}

/** Error thrown when the command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Parses the command line; returns undefined if the user requested help.
 * @param folder base folder for relative paths
 * @throws UsageError that names the invalid argument
 */
export function readDemoDataOptions(
  args: readonly string[],
  now: Date,
  folder: string,
): DemoDataOptions | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  const { until, url, organization, credentials } = values;
  for (const [name, value] of Object.entries({ url, organization, credentials })) {
    if (value === '') throw new UsageError(`--${name} must not be empty`);
  }
  const end = until === undefined ? now : parseTime(until, now);
  const days = wholeNumber('days', values.days, 1);
  return {
    counts: {
      readings: wholeNumber('readings', values.readings),
      images: wholeNumber('images', values.images),
      pointClouds: wholeNumber('pointclouds', values.pointclouds),
    },
    machines: wholeNumber('machines', values.machines, 1),
    span: { start: new Date(end.getTime() - days * MS_PER_DAY), end },
    seed: values.seed,
    fleet: {
      credentialsFile: credentials === undefined ? undefined : resolve(folder, credentials),
      url: url === undefined ? undefined : parseAddress(url),
      organization,
    },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        readings: { type: 'string', default: '100000' },
        images: { type: 'string', default: '50' },
        pointclouds: { type: 'string', default: '6' },
        days: { type: 'string', default: '30' },
        until: { type: 'string' },
        machines: { type: 'string', default: '8' },
        seed: { type: 'string', default: '1' },
        credentials: { type: 'string' },
        url: { type: 'string' },
        organization: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    // Node's message also contains advice about arguments that start with a dash, so use only the
    // first sentence.
    const [sentence = ''] = (error as Error).message.split('. ', 1);
    throw new UsageError(sentence, { cause: error });
  }
}

function wholeNumber(option: string, text: string, least = 0): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || !Number.isSafeInteger(value)) {
    throw new UsageError(`--${option} takes a whole number from ${least}, not "${text}"`);
  }
  return value;
}

function parseTime(text: string, now: Date): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new UsageError(`--until takes a time such as ${now.toISOString()}, not "${text}"`);
  }
  return time;
}

function parseAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--url takes an address such as http://127.0.0.1:8080, not "${text}"`);
  }
  return url.origin;
}
