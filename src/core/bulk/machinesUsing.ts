import { forEachBounded } from '../../base/bounded';
import { parseConfigText } from '../documents/resolvedText';
import type { Fragment, Part } from '../model/entities';
import { fragmentId, type MachineId, type OrganizationId } from '../model/ids';
import type { FragmentTarget, PartTarget } from '../model/resourceTarget';
import type { FleetStores } from '../stores/fleetStores';
import { machinesIn, type MachineWithPath, partTarget } from '../stores/findMachines';
import { parseImports } from '../fragments/fragmentImport';

/** Part that uses a fragment, and the chain of fragments through which the part uses it. */
export interface PartUsing {
  readonly machine: MachineWithPath;
  readonly part: PartTarget;
  readonly importPath: ImportPath;
  /** Names of the fragments that lead to the target, outermost first. */
  readonly throughNames: readonly string[];
}

export interface MachinesUsing {
  readonly parts: readonly PartUsing[];
  /** Number of machines that were checked. */
  readonly machines: number;
  /** Number of machines that couldn't be read. */
  readonly failed: number;
}

const CONCURRENT_CALLS = 8;

/**
 * Finds the parts in a fragment's organization that use the fragment, directly or through other
 * fragments. Makes one call for all fragments, one for the summaries of all machines, and one for
 * the parts of each machine that uses the fragment. If the service has no summaries, reads the parts
 * of every machine.
 *
 * @throws FleetError when the lists can't be read
 */
export async function findMachinesUsing(
  stores: FleetStores,
  target: FragmentTarget,
  signal: AbortSignal,
  onProgress: (done: number, of: number) => void = () => undefined,
): Promise<MachinesUsing> {
  const { connectionId, organizationId, fragmentId: targetId } = target;
  const scope = { kind: 'organization', connectionId, organizationId, name: '' } as const;
  const machines = await machinesIn(stores, scope, signal);
  const library = new Library(stores);
  await library.addOwn(organizationId, signal);
  const excluded = await findMachinesWithout(target, machines, { stores, library, signal });
  const candidates = machines.filter((machine) => !excluded.has(machine.target.machineId));
  const read = new Map<MachineWithPath, readonly Part[]>();
  let done = excluded.size;
  await forEachBounded(candidates, CONCURRENT_CALLS, async (machine) => {
    signal.throwIfAborted();
    try {
      read.set(machine, await stores.parts.readAll(machine.target.machineId, signal));
    } catch (error) {
      if (signal.aborted) throw error;
    }
    done += 1;
    onProgress(done, machines.length);
  });
  const parts = candidates.flatMap((machine) =>
    (read.get(machine) ?? []).map((part) => ({
      machine,
      part: partTarget(machine.target, part),
      config: parseConfigText(part.configText),
    })),
  );
  const configs = parts.map(({ config }) => config);
  await library.addImportsOf(configs, signal);
  const using = parts.flatMap(({ machine, part, config }): PartUsing[] => {
    const importPath = findImportPath(config, targetId, library.getConfig);
    const throughNames = importPath?.through.map((id) => library.getName(id)) ?? [];
    return importPath ? [{ machine, part, importPath, throughNames }] : [];
  });
  return { parts: using, machines: machines.length, failed: candidates.length - read.size };
}

interface SummarySearch {
  readonly stores: FleetStores;
  readonly library: Library;
  readonly signal: AbortSignal;
}

/** Returns the machines that don't use a fragment according to the service's summaries. */
async function findMachinesWithout(
  { organizationId, fragmentId: targetId }: FragmentTarget,
  machines: readonly MachineWithPath[],
  { stores, library, signal }: SummarySearch,
): Promise<ReadonlySet<MachineId>> {
  const imports = new Map<MachineId, readonly string[]>();
  await stores.machineSummaries.read(
    organizationId,
    machines.map(({ target }) => ({ id: target.machineId, locationId: target.locationId })),
    (summaries) => {
      for (const [id, { fragmentIds }] of summaries) imports.set(id, fragmentIds);
    },
    // Machines whose configs were changed elsewhere must not be missing.
    { signal, fresh: true },
  );
  // A summary contains the imports of all parts, so it has the form of one config.
  const configs = new Map([...imports].map(([id, fragments]) => [id, { fragments }]));
  await library.addImportsOf([...configs.values()], signal);
  const isUnused = (config: unknown): boolean =>
    findImportPath(config, targetId, library.getConfig) === undefined;
  return new Set([...configs].flatMap(([id, config]) => (isUnused(config) ? [id] : [])));
}

/** Configs and names of fragments. */
class Library {
  private readonly configs = new Map<string, unknown>();
  private readonly names = new Map<string, string>();

  constructor(private readonly stores: FleetStores) {}

  /** Returns the config of a fragment; undefined if it can't be read. */
  readonly getConfig: ReadFragment = (id) => this.configs.get(id);

  getName(id: string): string {
    return this.names.get(id) ?? id;
  }

  /** Reads all of an organization's own fragments. */
  async addOwn(organization: OrganizationId, signal: AbortSignal): Promise<void> {
    for (const fragment of await this.stores.fragments.readAll(organization, signal)) {
      this.add(fragment);
    }
  }

  /** Reads the missing fragments that configs reference, such as those of other organizations. */
  async addImportsOf(configs: readonly unknown[], signal: AbortSignal): Promise<void> {
    for (;;) {
      const named = fragmentsNamedBy(configs, this.getConfig);
      const unknown = [...named].filter((id) => !this.configs.has(id));
      if (unknown.length === 0) return;
      await forEachBounded(unknown, CONCURRENT_CALLS, async (id) => {
        this.configs.set(id, undefined);
        const { fragments } = this.stores;
        const found = await fragments.get(fragmentId(id), { signal }).catch(() => undefined);
        signal.throwIfAborted();
        if (found) this.add(found);
      });
    }
  }

  private add({ id, name, configText }: Pick<Fragment, 'id' | 'name' | 'configText'>): void {
    this.configs.set(id, parseConfigText(configText));
    this.names.set(id, name);
  }
}

/** Import path through which a config uses a fragment. */
interface ImportPath {
  /**
   * Fragments between the config and the target, outermost first; empty if the config references
   * the target directly.
   */
  readonly through: readonly string[];
  /** True if every import path to the fragment contains a disabled import. */
  readonly disabled: boolean;
}

/** Returns a fragment's config; undefined if it can't be read. */
export type ReadFragment = (id: string) => unknown;

/**
 * Returns the shortest import path through which a config uses a fragment; undefined if the config
 * doesn't use the fragment.
 */
export function findImportPath(
  config: unknown,
  id: string,
  read: ReadFragment,
): ImportPath | undefined {
  const enabled = findShortestPath(config, id, read, false);
  if (enabled) return { through: enabled, disabled: false };
  const disabled = findShortestPath(config, id, read, true);
  return disabled && { through: disabled, disabled: true };
}

/**
 * Returns the fragments that configs reference, directly or through other fragments, at any depth.
 */
export function fragmentsNamedBy(
  configs: readonly unknown[],
  read: ReadFragment,
): ReadonlySet<string> {
  const named = new Set<string>();
  let waiting = configs;
  while (waiting.length > 0) {
    const fresh = waiting
      .flatMap((config) => parseImports(config).map(({ id }) => id))
      .filter((id, index, all) => !named.has(id) && all.indexOf(id) === index);
    for (const id of fresh) named.add(id);
    waiting = fresh.map(read);
  }
  return named;
}

/**
 * Finds the shortest import path. Terminates despite cycles, because each fragment is visited only
 * once.
 */
function findShortestPath(
  config: unknown,
  id: string,
  read: ReadFragment,
  throughDisabled: boolean,
): readonly string[] | undefined {
  const seen = new Set<string>();
  let level: { readonly config: unknown; readonly through: readonly string[] }[] = [
    { config, through: [] },
  ];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { config: here, through } of level) {
      for (const use of parseImports(here)) {
        if (use.disabled && !throughDisabled) continue;
        if (use.id === id) return through;
        if (seen.has(use.id)) continue;
        seen.add(use.id);
        next.push({ config: read(use.id), through: [...through, use.id] });
      }
    }
    level = next;
  }
  return undefined;
}
