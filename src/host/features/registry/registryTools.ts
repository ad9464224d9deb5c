import type { Sleep } from '../../../core/ports';
import type { FleetTools } from '../../platform/fleetTools';

/** Dependencies of commands for registry items. */
export interface RegistryTools extends FleetTools {
  readonly sleep: Sleep;
}
