import type { Event } from '../../base/emitter';

/** What features know of the fleet service on this machine, which calls of its connection start. */
export interface LocalFleetStatus {
  readonly isRunning: boolean;
  /** It may run now, or may not any more. */
  readonly onDidChange: Event<unknown>;
  /** Whether it was started as one that runs training scripts, and may go on doing so. */
  runsScripts(): Promise<boolean>;
}
