import { forEachBounded } from '../../../base/bounded';
import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import type { ConnectionId, MachineId, PartId } from '../../../core/model/ids';
import type { PartTarget } from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { SessionProvider } from '../../platform/sessionProvider';

const CONCURRENT_READS = 4;

/** Parts in one connection whose logs are being followed, with their current names. */
export class TrackedParts extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  /** Fires when parts are added, removed, or renamed. */
  readonly onDidChange = this.changed.event;
  private readonly disturbed = this.register(new Emitter<readonly PartId[]>());
  /**
   * Fires with parts whose streams aren't resumed automatically, because they were deleted or the
   * user signed in or out.
   */
  readonly onDidDisturb = this.disturbed.event;

  private readonly stores: FleetStores;

  constructor(
    sessions: SessionProvider,
    readonly connectionId: ConnectionId,
    private current: readonly PartTarget[],
  ) {
    super();
    this.stores = sessions.lastingStores(connectionId);
    this.register(this.stores.onDidSignIn(() => this.reset()));
    this.register(this.stores.onDidSignOut(() => this.reset()));
    this.listen(this.stores);
    void this.readNames(() => true);
  }

  get parts(): readonly PartTarget[] {
    return this.current;
  }

  find(id: PartId): PartTarget | undefined {
    return this.current.find(({ partId }) => partId === id);
  }

  /** Adds parts that are not included yet. */
  add(parts: readonly PartTarget[]): void {
    const added = parts.filter(({ partId }) => !this.find(partId));
    if (added.length > 0) this.set([...this.current, ...added]);
  }

  remove(id: PartId): void {
    this.set(this.current.filter(({ partId }) => partId !== id));
  }

  private reset(): void {
    this.disturb(() => true);
    void this.readNames(() => true);
  }

  private listen({ machines, parts }: FleetStores): void {
    this.register(
      parts.onDidChange(({ all, ids, removed }) => {
        void this.readNames(({ partId }) => all || ids.includes(partId));
        this.disturb(({ partId }) => removed.includes(partId));
      }),
    );
    this.register(
      machines.onDidChange(({ all, ids, removed }) => {
        // Reloading all machines also reloads their parts.
        if (!all) void this.readNames(({ machineId }) => ids.includes(machineId));
        this.disturb(({ machineId }) => removed.includes(machineId));
      }),
    );
  }

  private disturb(isAffected: (part: PartTarget) => boolean): void {
    const ids = this.current.filter(isAffected).map(({ partId }) => partId);
    if (ids.length > 0) this.disturbed.fire(ids);
  }

  private async readNames(isAffected: (part: PartTarget) => boolean): Promise<void> {
    const machines = new Set(this.current.filter(isAffected).map(({ machineId }) => machineId));
    await forEachBounded([...machines], CONCURRENT_READS, async (machine) => {
      if (!this.isDisposed) await this.readMachineNames(this.stores, machine);
    });
  }

  private async readMachineNames(stores: FleetStores, id: MachineId): Promise<void> {
    try {
      const [{ name: machineName }, parts] = await Promise.all([
        stores.machines.get(id),
        stores.parts.list(id),
      ]);
      const names = new Map(parts.map((part) => [part.id, part.name]));
      this.set(
        this.current.map((part) => {
          const name = names.get(part.partId);
          return name === undefined ? part : { ...part, machineName, name };
        }),
      );
    } catch {
      // The previous names still distinguish the parts, and the logs show the error.
    }
  }

  private set(parts: readonly PartTarget[]): void {
    const before = this.current;
    this.current = parts;
    const isSame =
      parts.length === before.length &&
      parts.every(({ partId, name, machineName }, index) => {
        const other = before[index];
        return other?.partId === partId && other.name === name && other.machineName === machineName;
      });
    if (!isSame) this.changed.fire();
  }
}
