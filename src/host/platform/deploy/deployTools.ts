import type { KeyValue } from '../../../core/ports';
import type { FleetTools } from '../fleetTools';
import type { RestartOffers } from './restartOffers';
import { toFleetError } from '../../../core/api/errors';
import { type ConnectionId, partId } from '../../../core/model/ids';
import type { PartTarget } from '../../../core/model/resourceTarget';
import { findPart } from '../../../core/stores/findMachines';
import type { SessionProvider } from '../sessionProvider';

export interface DeployOptions extends FleetTools {
  /** Storage of the workspace. */
  readonly storage: KeyValue;
  readonly restarts: RestartOffers;
}

/** Dependencies for deploying modules and models to machines. */
export interface DeployTools extends FleetTools {
  readonly lastPart: LastPart;
  readonly restarts: RestartOffers;
}

export function deployTools({ storage, ...tools }: DeployOptions): DeployTools {
  return { ...tools, lastPart: new LastPart(storage, tools.sessions) };
}

const KEY = 'fleetwright.deploy.lastPart';

/** The last deployment's part, saved per connection in the workspace. */
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
