import type { MachineId, OrganizationId } from '../model/ids';
import type { FleetStores } from '../stores/fleetStores';
import type { SummarizedMachine } from '../stores/requestSummaries';
import type { FragmentUses } from './readFragmentUses';

/**
 * Index of the fragments that an organization's machines use, directly or through other fragments.
 * Caches the results, so that only changed resources are read again.
 */
export class FragmentUseIndex {
  private readonly uses: FragmentUses = {
    named: new Map(),
    unreadable: new Set(),
    fragments: new Map(),
    hasOwnFragments: false,
  };
  /** The current read. This promise never rejects. */
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly stores: FleetStores,
    private readonly organization: OrganizationId,
  ) {}

  /** Returns true if the index has tried to read a machine's fragments, even if that failed. */
  knows(machine: MachineId): boolean {
    return this.uses.named.has(machine) || this.uses.unreadable.has(machine);
  }

  /** True if the contents of the organization's fragments are known. */
  get knowsFragments(): boolean {
    return this.uses.hasOwnFragments;
  }

  /** Returns true if a machine's fragments couldn't be read. */
  failedOn(machine: MachineId): boolean {
    return this.uses.unreadable.has(machine);
  }

  /**
   * Reads the missing data of these machines. Makes one call for all machines, or one for each
   * machine if the service has no summaries, and one for the fragments. Doesn't retry a machine
   * that couldn't be read until its cached data is cleared.
   */
  async read(machines: readonly SummarizedMachine[], signal: AbortSignal): Promise<void> {
    // Reads run sequentially, so that a machine requested by multiple callers is read only once.
    const before = this.reading;
    const mine = before.then(() => this.readUnknown(machines, signal));
    this.reading = mine.catch(() => undefined);
    await mine;
  }

  private async readUnknown(
    machines: readonly SummarizedMachine[],
    signal: AbortSignal,
  ): Promise<void> {
    const unknown = machines.filter(({ id }) => !this.knows(id));
    const { readFragmentUses } = await import('./readFragmentUses');
    await readFragmentUses(this.stores, this.organization, unknown, this.uses, signal);
  }

  /** Returns the IDs of the fragments that a machine uses, at any depth. */
  usedBy(machine: MachineId): ReadonlySet<string> {
    const used = new Set<string>(this.uses.named.get(machine));
    // The loop also visits IDs that are added during iteration. It terminates despite cycles,
    // because the set contains each ID only once.
    for (const id of used) {
      for (const nested of this.uses.fragments.get(id)?.imports ?? []) used.add(nested);
    }
    return used;
  }

  /**
   * Returns the name of a fragment that a machine uses, or its ID if the fragment can't be read.
   */
  getFragmentName(id: string): string {
    return this.uses.fragments.get(id)?.name || id;
  }

  /** Clears the cached data of machines that might have changed. */
  clearMachines(machines: readonly MachineId[]): void {
    for (const id of machines) {
      this.uses.named.delete(id);
      this.uses.unreadable.delete(id);
    }
  }

  /** Clears the cached contents of fragments. */
  clearFragments(): void {
    this.uses.fragments.clear();
    this.uses.hasOwnFragments = false;
  }
}
