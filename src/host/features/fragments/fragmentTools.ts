import type { Commands } from '../../platform/commandRegistry';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { PickTarget } from '../../platform/targetPicker';

/** What the commands on fragments work with. */
export interface FragmentTools {
  readonly commands: Commands;
  readonly sessions: SessionProvider;
  readonly pickTarget: PickTarget;
}
