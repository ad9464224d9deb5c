import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type ServiceProcess } from './serviceProcess';

/** Environment variable with the path of a data folder that `seedDemoFleet` has filled. */
export const demoFleetVariable = 'FLEETWRIGHT_TEST_DEMO_FLEET';

/**
 * Options for a service with the demo fleet, whose machines do nothing but report that they are
 * online.
 */
const demoOptions = ['--demo', '--demo-machines', 'still'] as const;

/**
 * Fills a data folder with the demo fleet. Tests copy the folder, which is faster than replaying
 * the fleet's history in each test.
 */
export async function seedDemoFleet(folder: string): Promise<void> {
  const service = await startService([...demoOptions, '--data', folder]);
  await service.stop();
}

/** A demo fleet in a separate data folder. */
export class DemoFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'fleetwright-demo-'));

  /**
   * Copies the seeded fleet. If no seeded fleet exists, the first service that starts on the folder
   * fills it.
   */
  constructor(seeded = process.env[demoFleetVariable]) {
    if (seeded !== undefined) cpSync(seeded, this.path, { recursive: true });
  }

  /** Starts a service on the folder. @param port TCP port of the service; 0 for any free port */
  start(port = 0): Promise<ServiceProcess> {
    return startService([...demoOptions, '--data', this.path, '--port', String(port)]);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Starts a service with a separate demo fleet, which is deleted when the service stops. */
export async function startDemoService(): Promise<ServiceProcess> {
  const folder = new DemoFolder();
  try {
    const service = await folder.start();
    const stop = async (): Promise<void> => {
      try {
        await service.stop();
      } finally {
        folder.remove();
      }
    };
    return { ...service, stop };
  } catch (error) {
    folder.remove();
    throw error;
  }
}
