import { forEachBounded } from '../../base/bounded';
import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { required, withSignal } from '../api/calls';
import type { LoadClients } from '../api/fleetClients';
import type { Machine } from '../model/entities';
import { machineFromWire } from '../model/fromWire';
import { type LocationId, type MachineId, machineId } from '../model/ids';
import { inNameOrder } from '../model/nameOrder';
import { ResourceCache } from './resourceCache';
import { type ReadOptions, type StoreChange, storeChange } from './storeChange';
import { whenGone } from './whenGone';

export type MachineChange = StoreChange<MachineId, LocationId>;

const CONCURRENT_LISTS = 8;

/** Machines ("robots" on the wire), one list per location. */
export class MachineStore extends Disposable {
  private readonly lists = new ResourceCache<LocationId, readonly Machine[]>();
  private readonly changed = this.register(new Emitter<MachineChange>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly clients: LoadClients) {
    super();
  }

  /** All machines directly in a location, in name order: one call, as the wire has no pages here. */
  list(location: LocationId, options: ReadOptions = {}): Promise<readonly Machine[]> {
    return this.lists.get(
      location,
      async (signal) => {
        const { app } = await this.clients();
        const answer = await app.listRobots({ locationId: location }, { signal });
        return inNameOrder(answer.robots.map(machineFromWire));
      },
      options,
    );
  }

  /** A machine of a list that is here already. */
  peek(id: MachineId): Machine | undefined {
    for (const list of this.lists.loaded()) {
      const found = list.find((machine) => machine.id === id);
      if (found) return found;
    }
    return undefined;
  }

  async get(id: MachineId, { signal }: ReadOptions = {}): Promise<Machine> {
    const { app } = await this.clients();
    const answer = await app.getRobot({ id }, withSignal(signal));
    return machineFromWire(required(answer.robot, 'the machine'));
  }

  async create(location: LocationId, name: string): Promise<MachineId> {
    const { app } = await this.clients();
    const answer = await app.newRobot({ name, location });
    const created = machineId(answer.id);
    this.fire({ ids: [created], parents: [location] });
    return created;
  }

  async rename(machine: Pick<Machine, 'id' | 'locationId'>, name: string): Promise<Machine> {
    const request = { id: machine.id, name, location: machine.locationId };
    const { app } = await this.clients();
    const answer = await whenGone(app.updateRobot(request), () =>
      this.fire({ parents: [machine.locationId] }),
    );
    this.fire({ ids: [machine.id], parents: [machine.locationId] });
    return machineFromWire(required(answer.robot, 'the machine'));
  }

  async delete(machine: Pick<Machine, 'id' | 'locationId'>): Promise<void> {
    const { app } = await this.clients();
    await whenGone(app.deleteRobot({ id: machine.id }), () =>
      this.fire({ parents: [machine.locationId] }),
    );
    this.fire({ removed: [machine.id], parents: [machine.locationId] });
  }

  /**
   * Reads lists again, few at a time, and tells everyone once which have become other ones.
   * @throws the first failure, after all others were read.
   */
  async reread(locations: readonly LocationId[]): Promise<void> {
    const parents: LocationId[] = [];
    const failures: unknown[] = [];
    await forEachBounded(locations, CONCURRENT_LISTS, async (location) => {
      const before = this.lists.peek(location);
      try {
        const after = await this.list(location, { fresh: true });
        if (before && !sameMachines(before, after)) parents.push(location);
      } catch (error) {
        failures.push(error);
      }
    });
    if (parents.length > 0) this.changed.fire(storeChange({ parents }));
    if (failures.length > 0) throw failures[0];
  }

  /** What these locations held is gone with them. */
  removeIn(locations: readonly LocationId[]): void {
    const removed = locations.flatMap((id) => this.lists.peek(id) ?? []).map(({ id }) => id);
    if (locations.length > 0) this.fire({ removed, parents: locations });
  }

  /** Forgets what is cached and tells everyone to read again. */
  refresh(): void {
    this.lists.clear();
    this.changed.fire(storeChange({ all: true }));
  }

  private fire(change: Partial<MachineChange>): void {
    for (const location of change.parents ?? []) this.lists.invalidate(location);
    this.changed.fire(storeChange(change));
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
