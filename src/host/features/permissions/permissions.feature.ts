import { Disposable } from '../../../base/disposable';
import type { Commands } from '../../platform/commandRegistry';
import type { SessionProvider } from '../../platform/sessionProvider';

// Loaded when one of its commands is called first.
const explainPermissions = () => import('./explainPermissions');

/** Says what the signed-in key may do, and what it lacks. */
export class PermissionsFeature extends Disposable {
  constructor(commands: Commands, sessions: SessionProvider) {
    super();
    this.register(
      commands.register('fleetwright.resource.explainPermissions', async (target) =>
        (await explainPermissions()).explainPermissions(sessions, target),
      ),
    );
  }
}
