import type { KeyValue } from '../../../core/ports';
import type { LastPart } from '../../platform/deploy/lastPart';
import type { RestartOffers } from '../../platform/deploy/restartOffers';
import type { FleetTools } from '../../platform/fleetTools';

export interface ModelDeployOptions extends FleetTools {
  /** Of the workspace. */
  readonly storage: KeyValue;
}

/** What putting models on machines works with. */
export interface ModelDeployTools extends FleetTools {
  readonly lastPart: LastPart;
  readonly restarts: RestartOffers;
}
