import type { Sleep } from '../../../core/ports';
import type { FleetTools } from '../../platform/fleetTools';

/** What commands on registry items work with. */
export interface RegistryTools extends FleetTools {
  readonly sleep: Sleep;
}
