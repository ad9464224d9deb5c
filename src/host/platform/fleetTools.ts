import type { FleetTarget } from '../../core/model/resourceTarget';
import type { Commands } from './commandRegistry';
import type { SessionProvider } from './sessionProvider';
import type { PickTarget } from './targetPicker';

/** What commands on the fleet work with. */
export interface FleetTools {
  readonly commands: Commands;
  readonly sessions: SessionProvider;
  readonly pickTarget: PickTarget;
  /** Shows in the tree whatever stands there. */
  readonly reveal: (target: FleetTarget) => Promise<void>;
}
