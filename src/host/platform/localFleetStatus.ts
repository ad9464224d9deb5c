import type { Event } from '../../base/emitter';

/**
 * Status of the fleet service on this computer for other features; calls over its connection start
 * it.
 */
export interface LocalFleetStatus {
  readonly isRunning: boolean;
  /** Fires when it has possibly started or stopped. */
  readonly onDidChange: Event<unknown>;
  /**
   * Resolves to true if it was started with permission to run training scripts and still has it.
   */
  runsScripts(): Promise<boolean>;
}
