import type { Event } from '../../base/emitter';

/**
 * Status of the local fleet service, for other features. Calls over its connection start the
 * service.
 */
export interface LocalFleetStatus {
  readonly isRunning: boolean;
  /** Fires when the service might have started or stopped. */
  readonly onDidChange: Event<unknown>;
  /**
   * Resolves to true if the running service was started with permission to run training scripts and
   * still has this permission.
   */
  runsScripts(): Promise<boolean>;
}
