import type { KeyValue } from '../../../core/ports';
import type { FleetTools } from '../../platform/fleetTools';
import type { LastPart } from './lastPart';
import type { RestartOffers } from './restartOffers';

export interface ModuleDeployOptions extends FleetTools {
  /** Of the workspace. */
  readonly storage: KeyValue;
}

/** What putting modules on machines works with. */
export interface DeployTools extends FleetTools {
  readonly lastPart: LastPart;
  readonly restarts: RestartOffers;
}
