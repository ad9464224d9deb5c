import { forEachBounded } from '../../base/bounded';
import { parseConfigText } from '../documents/resolvedText';
import { importsOf } from '../fragments/fragmentImport';
import { fragmentId, type MachineId, type OrganizationId } from '../model/ids';
import type { FleetStores } from '../stores/fleetStores';

const CONCURRENT_CALLS = 8;

interface KnownFragment {
  /** Empty for one that cannot be read. */
  readonly name: string;
  readonly imports: readonly string[];
}

/**
 * Which machines of an organization use which fragments, directly or through others. What was read once
 * stays, so that only what changed costs a call again.
 */
export class FragmentUseIndex {
  /** What the configs of a machine name themselves. */
  private readonly named = new Map<MachineId, readonly string[]>();
  private readonly unreadable = new Set<MachineId>();
  private readonly fragments = new Map<string, KnownFragment>();
  private hasOwnFragments = false;
  /** What is read now; it never fails. */
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly stores: FleetStores,
    private readonly organization: OrganizationId,
  ) {}

  /** Whether a machine was asked for what it uses. */
  knows(machine: MachineId): boolean {
    return this.named.has(machine) || this.unreadable.has(machine);
  }

  /** Whether a machine was asked for what it uses, and did not tell. */
  failedOn(machine: MachineId): boolean {
    return this.unreadable.has(machine);
  }

  /**
   * Reads what is not known of these machines: one call for each, as the wire has no other way, and one for
   * the fragments. A machine that cannot be read is not asked
   * again until it is forgotten.
   */
  async read(machines: readonly MachineId[], signal: AbortSignal): Promise<void> {
    // One after the other: what several ask for at the same time is read once.
    const before = this.reading;
    const mine = before.then(() => this.readUnknown(machines, signal));
    this.reading = mine.catch(() => undefined);
    await mine;
  }

  private async readUnknown(machines: readonly MachineId[], signal: AbortSignal): Promise<void> {
    const unknown = machines.filter((id) => !this.knows(id));
    await forEachBounded(unknown, CONCURRENT_CALLS, async (id) => {
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

  /** What a machine uses, however deep. */
  usedBy(machine: MachineId): ReadonlySet<string> {
    const used = new Set<string>(this.named.get(machine));
    // Grows while it is gone through; a circle ends, since each is taken once.
    for (const id of used)
      for (const nested of this.fragments.get(id)?.imports ?? []) used.add(nested);
    return used;
  }

  /** The name of a fragment that some machine uses; its id when it cannot be read. */
  nameOf(id: string): string {
    return this.fragments.get(id)?.name || id;
  }

  /** Forgets what may have changed about machines. */
  forgetMachines(machines: readonly MachineId[]): void {
    for (const id of machines) {
      this.named.delete(id);
      this.unreadable.delete(id);
    }
  }

  /** Forgets what fragments contain. */
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
  return importsOf(parseConfigText(configText)).map(({ id }) => id);
}
