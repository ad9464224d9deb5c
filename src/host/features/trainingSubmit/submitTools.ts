import type { FleetTools } from '../../platform/fleetTools';

/** What submitting trainings works with. */
export interface TrainingSubmitTools extends FleetTools {
  readonly presentError: (error: unknown) => void;
}
