import type { Context } from 'mocha';
import { startDemoService } from '../../../scripts/support/demoFleet';
import type { ServiceProcess } from '../../../scripts/support/serviceProcess';
import { startVsCode, type VsCode, type VsCodeOptions } from './vsCode';

type WindowOptions = Pick<VsCodeOptions, 'settings' | 'viewport' | 'isPseudo'>;

/** The service to which a window signs in. */
type JourneyService = Pick<ServiceProcess, 'credentialsFile' | 'stop'>;

/**
 * A window signed in to a fleet service with the demo fleet. Only one journey uses the window and
 * the service.
 */
export interface JourneyHost<Service extends JourneyService = ServiceProcess> {
  service: Service;
  vsCode: VsCode;
  /** Saves a screenshot of the window if the test failed; call this in `afterEach`. */
  saveFailureScreenshot(context: Context): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts the service and VS Code with the packaged extension, signed in as the demo's owner. `npm
 * run package` creates the package.
 */
export async function startJourney(options?: WindowOptions): Promise<JourneyHost> {
  return startJourneyWith(await startDemoService(), undefined, options);
}

/**
 * Like `startJourney`, but with a service that is already running; the service is stopped with the
 * journey.
 * @param workspace absolute path of the open folder
 */
export async function startJourneyWith<Service extends JourneyService>(
  service: Service,
  workspace?: string,
  options: WindowOptions = {},
): Promise<JourneyHost<Service>> {
  let vsCode: VsCode;
  try {
    vsCode = await startVsCode({
      ...options,
      credentialsFile: service.credentialsFile,
      ...(workspace !== undefined && { workspace }),
    });
  } catch (error) {
    await service.stop();
    throw error;
  }
  return {
    service,
    vsCode,
    async saveFailureScreenshot({ currentTest }) {
      if (currentTest?.state !== 'failed') return;
      console.log(`Picture: ${await vsCode.screenshot(currentTest.fullTitle())}`);
    },
    async close() {
      try {
        await vsCode.close();
      } finally {
        await service.stop();
      }
    },
  };
}
