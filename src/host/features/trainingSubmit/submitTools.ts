import type { FleetTools } from '../../platform/fleetTools';
import type { LocalFleetStatus } from '../../platform/localFleetStatus';

/** Dependencies for submitting trainings. */
export interface TrainingSubmitTools extends FleetTools {
  readonly localFleet: Pick<LocalFleetStatus, 'runsScripts'>;
  readonly presentError: (error: unknown) => void;
}
