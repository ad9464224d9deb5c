import { systemClock } from '../../src/base/clock';
import type { OpenTransport } from '../../src/core/api/connectionTransport';
import { grpcOpener } from '../../src/core/api/grpcOpener';
import { ConnectionStore } from '../../src/core/sessions/connectionStore';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import { FleetTree } from '../../src/host/features/fleet/fleetTree';
import type { FleetNode } from '../../src/host/features/fleet/nodes/fleetNode';
import { MemoryKeyValue, MemorySecrets } from '../../test/support/memoryPorts';
import type { ServiceKey } from '../../test/support/serviceClients';
import { silentLogger } from '../../test/support/silentLogger';

/** The fleet tree of the extension, connected to a running service. */
export class TreeReader implements Disposable {
  private constructor(
    private readonly connections: ConnectionStore,
    readonly stores: FleetStores,
  ) {}

  /** @param wrap adds behavior to the transport, for example to count calls. */
  static async signIn(
    { url, apiKeyId, apiKey }: ServiceKey,
    wrap = (open: OpenTransport): OpenTransport => open,
  ): Promise<TreeReader> {
    const connections = new ConnectionStore({
      secrets: new MemorySecrets(),
      global: new MemoryKeyValue(),
      workspace: new MemoryKeyValue(),
      open: wrap(grpcOpener(silentLogger, () => [])),
      logger: silentLogger,
    });
    const { id } = await connections.signIn({
      baseUrl: url,
      keyId: apiKeyId,
      key: apiKey,
      label: 'bench',
      kind: 'cloud',
    });
    return new TreeReader(connections, connections.stores(id));
  }

  /** Opens a new tree down to the first location. */
  async openLocation(): Promise<{ tree: FleetTree; location: FleetNode }> {
    const tree = new FleetTree(this.connections, systemClock);
    const organization = await child(tree, undefined, 'organization');
    return { tree, location: await child(tree, organization, 'location') };
  }

  [Symbol.dispose](): void {
    this.connections.dispose();
  }
}

/**
 * Opens a location and loads all pages of its machines, like a user who wants to see every machine.
 * Resolves with the number of machines.
 */
export async function openToTheEnd(tree: FleetTree, location: FleetNode): Promise<number> {
  for (;;) {
    const nodes = await tree.listChildren(location);
    const last = nodes.at(-1);
    if (last?.kind !== 'loadMore') return nodes.length;
    tree.loadMore(last);
  }
}

async function child(tree: FleetTree, parent: FleetNode | undefined, kind: FleetNode['kind']) {
  const found = (await tree.listChildren(parent)).find((node) => node.kind === kind);
  if (!found) throw new Error(`There is no ${kind}.`);
  return found;
}
