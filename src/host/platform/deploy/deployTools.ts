import type { KeyValue } from '../../../core/ports';
import type { FleetTools } from '../fleetTools';
import { LastPart } from './lastPart';
import type { RestartOffers } from './restartOffers';

export interface DeployOptions extends FleetTools {
  /** Storage of the workspace. */
  readonly storage: KeyValue;
  readonly restarts: RestartOffers;
}

/** Dependencies for deploying modules and models to machines. */
export interface DeployTools extends FleetTools {
  readonly lastPart: LastPart;
  readonly restarts: RestartOffers;
}

export function deployTools({ storage, ...tools }: DeployOptions): DeployTools {
  return { ...tools, lastPart: new LastPart(storage, tools.sessions) };
}
