import { Emitter } from '../../src/base/emitter';
import type { Connection } from '../../src/core/model/connection';
import { connectionIdOf } from '../../src/core/model/connection';
import type { ConnectionId } from '../../src/core/model/ids';
import { FleetSession } from '../../src/core/sessions/fleetSession';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import type { SessionProvider } from '../../src/host/platform/sessionProvider';
import type { MemoryFleet } from './memoryFleet';

/** One connection to a fleet in memory, which can be activated and left. */
export class TestSessions implements SessionProvider {
  readonly connectionToFleet: Connection;
  readonly session: FleetSession;
  active: Connection | undefined;
  private readonly activeChanged = new Emitter<Connection | undefined>();
  private readonly connectionsChanged = new Emitter<void>();
  readonly onDidChangeActive = this.activeChanged.event;
  readonly onDidChangeConnections = this.connectionsChanged.event;

  constructor(fleet: MemoryFleet) {
    this.connectionToFleet = {
      id: connectionIdOf(fleet.key.id),
      label: 'Test',
      baseUrl: fleet.baseUrl,
      keyId: fleet.key.id,
      kind: 'cloud',
    };
    this.session = new FleetSession(this.connectionToFleet, fleet.open, () =>
      Promise.resolve(fleet.key),
    );
    this.active = this.connectionToFleet;
  }

  get connections(): readonly Connection[] {
    return [this.connectionToFleet];
  }

  connection(id: ConnectionId): Connection | undefined {
    return this.connections.find((connection) => connection.id === id);
  }

  stores(): FleetStores {
    return this.session.stores;
  }

  activate(active: boolean): void {
    this.active = active ? this.connectionToFleet : undefined;
    this.activeChanged.fire(this.active);
  }

  dispose(): void {
    this.session.dispose();
  }
}
