import type { FleetTarget } from '../../core/model/resourceTarget';
import type { Commands } from './commands/commandRegistry';
import type { SessionProvider } from './sessionProvider';
import type { PickTarget } from './prompts/targetPicker';

/** Dependencies of fleet commands. */
export interface FleetTools {
  readonly commands: Commands;
  readonly sessions: SessionProvider;
  readonly pickTarget: PickTarget;
  /** Reveals a resource in the tree. */
  readonly reveal: (target: FleetTarget) => Promise<void>;
}
