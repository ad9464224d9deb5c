import type { KeyValue } from '../../../core/ports';
import type { FleetTools } from '../fleetTools';
import { LastPart } from './lastPart';
import { RestartOffers } from './restartOffers';

export interface DeployOptions extends FleetTools {
  /** Of the workspace. */
  readonly storage: KeyValue;
}

/** What putting modules and models on machines works with. */
export interface DeployTools extends FleetTools {
  readonly lastPart: LastPart;
  readonly restarts: RestartOffers;
}

/** Makes them; the offers of restarts are the caller's to dispose of. */
export function deployTools({ storage, ...tools }: DeployOptions): DeployTools {
  return {
    ...tools,
    lastPart: new LastPart(storage, tools.sessions),
    restarts: new RestartOffers(tools.commands),
  };
}
