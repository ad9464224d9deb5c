import { existsSync } from 'node:fs';
import { credentialsPath, readFleetCredentials } from '../../src/service/process/credentialsFile';
import { getDefaultDataDirectory } from '../../src/service/process/dataDirectory';
import { findRunningService } from '../../src/service/process/claimDirectory';
import type { FleetChoice } from './demoDataOptions';
import { fromRoot } from './paths';
import { type ServiceCredentials, startService } from './serviceProcess';

/** A running fleet service, with a key for it. */
export interface DetectedFleet {
  url: string;
  key: { id: string; key: string };
  /** Organization in the credentials; if absent, the key's first organization. */
  organization: string | undefined;
  /** Stops every process that was started to provide the fleet. */
  stop: () => Promise<void>;
}

/** Data folder of the fleet that `npm start` starts. */
const startedDirectory = fromRoot('.cache', 'start', 'service');

/**
 * Returns the fleet that the user specified. If the user didn't specify one, returns a fleet whose
 * service is running on this computer. If there is none, starts the service of the `npm start`
 * fleet and returns that fleet.
 * @param build builds the service's program if it doesn't exist yet
 * @throws Error that describes what is missing
 */
export async function findFleet(
  choice: FleetChoice,
  environment: NodeJS.ProcessEnv,
  build: () => void,
): Promise<DetectedFleet> {
  const { credentialsFile, url } = choice;
  if (credentialsFile !== undefined) {
    const credentials = await readFleetCredentials(credentialsFile);
    return toFleet({ ...credentials, url: url ?? credentials.url }, choice);
  }
  if (url !== undefined) {
    return { ...fromEnvironment(url, environment), organization: choice.organization };
  }
  for (const directory of [
    startedDirectory,
    getDefaultDataDirectory(process.platform, environment),
  ]) {
    const running = await findRunningService(directory);
    if (running !== undefined) {
      const credentials = await readFleetCredentials(credentialsPath(directory));
      return toFleet({ ...credentials, url: running.url }, choice);
    }
  }
  console.log('No fleet service runs here: starting the one of npm start with its demo fleet.');
  if (!existsSync(fromRoot('dist', 'service.js'))) build();
  const service = await startService([
    ...['--demo', '--demo-machines', 'still'],
    ...['--data', startedDirectory],
  ]);
  return { ...toFleet(service.credentials, choice), stop: () => service.stop() };
}

function toFleet(credentials: ServiceCredentials, { organization }: FleetChoice): DetectedFleet {
  return {
    url: credentials.url,
    key: { id: credentials.apiKeyId, key: credentials.apiKey },
    organization: organization ?? credentials.organizationId,
    stop: () => Promise.resolve(),
  };
}

function fromEnvironment(
  url: string,
  environment: NodeJS.ProcessEnv,
): Omit<DetectedFleet, 'organization'> {
  const { SVC_API_KEY_ID: id, SVC_API_KEY: key } = environment;
  if (!isNonEmptyString(id) || !isNonEmptyString(key)) {
    throw new Error(
      `Name the key for ${url}: --credentials FILE, or SVC_API_KEY_ID and SVC_API_KEY in the environment.`,
    );
  }
  return { url, key: { id, key }, stop: () => Promise.resolve() };
}

function isNonEmptyString(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
