import { Disposable } from '../../../base/disposable';
import { isReadOnlyKey } from '../../../core/stores/isReadOnlyKey';
import { setContextKey } from '../../platform/contextKeys';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { FleetTree } from './fleetTree';
import type { FleetContext } from './nodes/treeNode';

/**
 * Sets a context key for `when` clauses that is true if the active API key can't edit anything in
 * the fleet.
 */
export class ReadOnlyKey extends Disposable {
  private latest: FleetContext | undefined;

  constructor(tree: FleetTree, sessions: SessionProvider) {
    super();
    this.register(tree.onDidReadOrganizations((context) => void this.update(context)));
    this.register(
      sessions.onDidChangeActive(() => {
        this.latest = undefined;
        setContextKey('fleetwright.readOnlyKey', false);
      }),
    );
  }

  private async update(context: FleetContext): Promise<void> {
    this.latest = context;
    const value = await isReadOnlyKey(context.stores, context.connection.keyId);
    if (this.latest === context && !this.isDisposed) {
      setContextKey('fleetwright.readOnlyKey', value);
    }
  }
}
