import type { KeyValue } from '../../../core/ports';
import type { FleetTools } from '../../platform/fleetTools';
import type { LastPart } from '../../platform/deploy/lastPart';
import type { RestartOffers } from '../../platform/deploy/restartOffers';

export interface ModuleDeployOptions extends FleetTools {
  /** Of the workspace. */
  readonly storage: KeyValue;
}

/** What putting modules on machines works with. */
export interface DeployTools extends FleetTools {
  readonly lastPart: LastPart;
  readonly restarts: RestartOffers;
}
