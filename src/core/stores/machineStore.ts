import { forEachBounded } from '../../base/bounded';
import { required, withSignal } from '../api/fleetClients';
import type { Machine } from '../model/entities';
import { machineFromWire } from '../model/fromWire';
import { type LocationId, type MachineId, machineId } from '../model/ids';
import { inNameOrder } from '../model/resourceName';
import { findRenamed, ListStore } from './listStore';
import { isNotFound, type ReadOptions } from './resourceCache';

const CONCURRENT_LISTS = 8;

/** Machines ("robots" on the wire), in one list per location. */
export class MachineStore extends ListStore<Machine, LocationId> {
  /**
   * Returns all machines directly in a location, sorted by name. Makes one call, because the API
   * has no pages for this list.
   */
  list(location: LocationId, options: ReadOptions = {}): Promise<readonly Machine[]> {
    return this.readList(location, this.requestList(location), options);
  }

  /** Returns a machine from the cached lists. */
  peek(id: MachineId): Machine | undefined {
    for (const list of this.lists.loaded()) {
      const found = list.find((machine) => machine.id === id);
      if (found) return found;
    }
    return undefined;
  }

  async get(id: MachineId, { signal }: ReadOptions = {}): Promise<Machine> {
    const answer = await this.clients.app.getRobot({ id }, withSignal(signal));
    return machineFromWire(required(answer.robot, 'machine', this.clients.l10n));
  }

  async create(location: LocationId, name: string): Promise<MachineId> {
    const answer = await this.clients.app.newRobot({ name, location });
    const created = machineId(answer.id);
    this.fire({ ids: [created], parents: [location] });
    return created;
  }

  async rename(
    { id, locationId }: Pick<Machine, 'id' | 'locationId'>,
    name: string,
  ): Promise<Machine> {
    const write = async () => {
      // The API requires the machine's current location.
      const present = await this.get(id);
      return this.clients.app.updateRobot({ id, name, location: present.locationId });
    };
    const answer = await this.sendChange(locationId, write());
    const renamed = machineFromWire(required(answer.robot, 'machine', this.clients.l10n));
    this.fire({ ids: [id], parents: [...new Set([locationId, renamed.locationId])] });
    return renamed;
  }

  async delete({ id, locationId }: Pick<Machine, 'id' | 'locationId'>): Promise<void> {
    await this.sendChange(locationId, this.clients.app.deleteRobot({ id }));
    this.fire({ removed: [id], parents: [locationId] });
  }

  /**
   * Rereads lists, a few at a time, and notifies listeners once about the lists that have changed.
   * @returns the locations that were deleted or can no longer be viewed
   * @throws the first failure, after all other lists were read.
   */
  async reread(locations: readonly LocationId[]): Promise<readonly LocationId[]> {
    const parents: LocationId[] = [];
    const ids: MachineId[] = [];
    const missing: LocationId[] = [];
    const failures: unknown[] = [];
    await forEachBounded(locations, CONCURRENT_LISTS, async (location) => {
      const before = this.lists.peek(location);
      try {
        const after = await this.lists.get(location, this.requestList(location), { fresh: true });
        if (!before || this.isSameList(before, after)) return;
        parents.push(location);
        ids.push(...this.findChanged(before, after));
      } catch (error) {
        if (isNotFound(error)) missing.push(location);
        else failures.push(error);
      }
    });
    if (parents.length > 0) this.fireChange({ ids, parents });
    if (failures.length > 0) throw failures[0];
    return missing;
  }

  /** Doesn't format the lists as JSON, because they are polled. */
  protected override isSameList(before: readonly Machine[], after: readonly Machine[]): boolean {
    return sameMachines(before, after);
  }

  /** A changed status affects only the list. Statuses change often, and are polled. */
  protected override findChanged(before: readonly Machine[], after: readonly Machine[]) {
    return findRenamed(before, after);
  }

  private requestList(location: LocationId) {
    return async (signal: AbortSignal): Promise<readonly Machine[]> => {
      const answer = await this.clients.app.listRobots({ locationId: location }, { signal });
      return inNameOrder(answer.robots.map(machineFromWire));
    };
  }
}

function sameMachines(before: readonly Machine[], after: readonly Machine[]): boolean {
  return (
    before.length === after.length &&
    before.every((machine, index) => {
      const other = after[index];
      return (
        machine.id === other?.id &&
        machine.name === other.name &&
        machine.status === other.status &&
        machine.lastAccess?.getTime() === other.lastAccess?.getTime()
      );
    })
  );
}
