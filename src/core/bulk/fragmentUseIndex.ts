import { forEachBounded } from '../../base/bounded';
import { parseConfigText } from '../documents/resolvedText';
import { parseImports } from '../fragments/fragmentImport';
import { fragmentId, type MachineId, type OrganizationId } from '../model/ids';
import type { FleetStores } from '../stores/fleetStores';
import type { SummarizedMachine } from '../stores/machineSummaryStore';

const CONCURRENT_CALLS = 8;

interface KnownFragment {
  /** Name of the fragment; empty if the fragment can't be read. */
  readonly name: string;
  readonly imports: readonly string[];
}

/**
 * Index of the fragments that the machines of an organization use, directly or through other
 * fragments. Caches the results, so that only changed resources are read again.
 */
export class FragmentUseIndex {
  /** Fragments that the parts' configs reference directly, by machine. */
  private readonly named = new Map<MachineId, readonly string[]>();
  private readonly unreadable = new Set<MachineId>();
  private readonly fragments = new Map<string, KnownFragment>();
  private hasOwnFragments = false;
  /** The current read. This promise never rejects. */
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly stores: FleetStores,
    private readonly organization: OrganizationId,
  ) {}

  /**
   * Returns true if the index has tried to read the fragments of a machine, even if that failed.
   */
  knows(machine: MachineId): boolean {
    return this.named.has(machine) || this.unreadable.has(machine);
  }

  /** Returns true if the fragments of a machine couldn't be read. */
  failedOn(machine: MachineId): boolean {
    return this.unreadable.has(machine);
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
    const left = await this.stores.machineSummaries.read(
      this.organization,
      machines.filter(({ id }) => !this.knows(id)),
      (summaries) => {
        for (const [id, { fragmentIds }] of summaries) this.named.set(id, fragmentIds);
      },
      signal,
    );
    await forEachBounded(left, CONCURRENT_CALLS, async ({ id }) => {
      signal.throwIfAborted();
      try {
        const parts = await this.stores.parts.readAll(id, signal);
        const imports = parts.flatMap(({ configText }) => namesIn(configText));
        this.named.set(id, [...new Set(imports)]);
      } catch (error) {
        if (signal.aborted) throw error;
        this.unreadable.add(id);
      }
    });
    await this.readFragments(signal);
  }

  /** Returns the IDs of the fragments that a machine uses, at any depth. */
  usedBy(machine: MachineId): ReadonlySet<string> {
    const used = new Set<string>(this.named.get(machine));
    // The set grows during iteration. Cycles end because the set contains each ID only once.
    for (const id of used) {
      for (const nested of this.fragments.get(id)?.imports ?? []) used.add(nested);
    }
    return used;
  }

  /**
   * Returns the name of a fragment that a machine uses, or its ID if the fragment can't be read.
   */
  getFragmentName(id: string): string {
    return this.fragments.get(id)?.name || id;
  }

  /** Clears the cached data of machines that might have changed. */
  forgetMachines(machines: readonly MachineId[]): void {
    for (const id of machines) {
      this.named.delete(id);
      this.unreadable.delete(id);
    }
  }

  /** Clears the cached contents of fragments. */
  forgetFragments(): void {
    this.fragments.clear();
    this.hasOwnFragments = false;
  }

  private async readFragments(signal: AbortSignal): Promise<void> {
    if (!this.hasOwnFragments) {
      for (const { id, name, configText } of await this.stores.fragments.readAll(
        this.organization,
        signal,
      )) {
        this.fragments.set(id, { name, imports: namesIn(configText) });
      }
      this.hasOwnFragments = true;
    }
    for (;;) {
      const all = [
        ...this.named.values(),
        ...[...this.fragments.values()].map((one) => one.imports),
      ];
      const unknown = [...new Set(all.flat())].filter((id) => !this.fragments.has(id));
      if (unknown.length === 0) return;
      await forEachBounded(unknown, CONCURRENT_CALLS, async (id) => {
        const found = await this.stores.fragments
          .get(fragmentId(id), { signal })
          .catch(() => undefined);
        signal.throwIfAborted();
        this.fragments.set(id, { name: found?.name ?? '', imports: namesIn(found?.configText) });
      });
    }
  }
}

function namesIn(configText: string | undefined): readonly string[] {
  if (configText === undefined) return [];
  return parseImports(parseConfigText(configText)).map(({ id }) => id);
}
