import { toFleetError } from '../../../core/api/errors';
import { type ConnectionId, partId } from '../../../core/model/ids';
import type { PartTarget } from '../../../core/model/resourceTarget';
import type { KeyValue } from '../../../core/ports';
import { findPart } from '../../../core/stores/findPart';
import type { SessionProvider } from '../sessionProvider';

const KEY = 'fleetwright.deploy.lastPart';

/** Part of the last deployment, saved per connection in the workspace. */
export class LastPart {
  constructor(
    private readonly storage: KeyValue,
    private readonly sessions: SessionProvider,
  ) {}

  remember({ connectionId, partId: id }: PartTarget): Promise<void> {
    return this.storage.update(toStorageKey(connectionId), id);
  }

  /**
   * Returns the part; undefined if nothing has been deployed or the part was deleted.
   * @throws FleetError if the part can't be read
   */
  async find(connectionId: ConnectionId): Promise<PartTarget | undefined> {
    const saved = this.storage.get(toStorageKey(connectionId));
    if (typeof saved !== 'string') return undefined;
    try {
      const stores = this.sessions.stores(connectionId);
      return (await findPart(stores, connectionId, partId(saved))).target;
    } catch (error) {
      const { kind } = toFleetError(error);
      if (kind === 'notFound' || kind === 'permission') return undefined;
      throw error;
    }
  }
}

function toStorageKey(connectionId: ConnectionId): string {
  return `${KEY}.${connectionId}`;
}
