import { Disposable, type DisposableLike } from '../../../base/disposable';
import { listPermittedTools } from '../../../core/agentTools/agentTools';
import type { Connection } from '../../../core/model/connection';
import type { ContextKeys } from '../../../manifest/contextKeys';
import { settings } from '../../../manifest/contributions';
import { setContextKey } from '../../platform/commands/contextKeys';
import type { SessionProvider } from '../../platform/sessionProvider';
import { onDidChangeSetting } from '../../platform/settingsReader';
import { allowsAgentWrites } from './agentWrites';

/**
 * Keeps the context key with the permissions that agents can use up to date, so that VS Code lists
 * only the tools that can succeed.
 */
export class AgentPermissions extends Disposable {
  private following: DisposableLike | undefined;
  private updating = new AbortController();

  constructor(private readonly sessions: SessionProvider) {
    super();
    this.register(sessions.onDidChangeActive(() => this.follow()));
    this.register(onDidChangeSetting(settings.agentWrites, () => this.follow()));
    this.register({
      dispose: () => {
        this.following?.dispose();
        this.updating.abort();
      },
    });
    this.follow();
  }

  private follow(): void {
    this.following?.dispose();
    const { active } = this.sessions;
    this.following =
      active &&
      this.sessions
        .lastingStores(active.id)
        .access.onDidChange(() => void this.update(this.sessions.active));
    void this.update(active);
  }

  private async update(connection: Connection | undefined): Promise<void> {
    this.updating.abort();
    this.updating = new AbortController();
    const { signal } = this.updating;
    // Until the permissions are known, no tool that changes something is listed.
    setContextKey('fleetwright.agentPermissions', '');
    try {
      const permissions = connection ? await this.read(connection, signal) : '';
      if (!signal.aborted) setContextKey('fleetwright.agentPermissions', permissions);
    } catch {
      // The connection was signed out, or another update has started.
    }
  }

  private async read(
    connection: Connection,
    signal: AbortSignal,
  ): Promise<ContextKeys['fleetwright.agentPermissions']> {
    if (!allowsAgentWrites(connection)) return '';
    const tools = await listPermittedTools(this.sessions.stores(connection.id), signal, true);
    const permissions = tools.flatMap((tool) =>
      tool.operation === 'write' ? [tool.permission] : [],
    );
    return permissions.length === 0 ? '' : `;${[...new Set(permissions)].join(';')};`;
  }
}
