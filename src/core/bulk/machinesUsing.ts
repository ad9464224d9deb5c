import { forEachBounded } from '../../base/bounded';
import { parseConfigText } from '../documents/resolvedText';
import type { Part } from '../model/entities';
import { fragmentId } from '../model/ids';
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

interface Library {
  readonly configs: Map<string, unknown>;
  readonly names: Map<string, string>;
}

/**
 * Finds the parts in a fragment's organization that use the fragment, directly or through other
 * fragments. Makes one call for all fragments and one for each machine's parts. @throws FleetError
 * when the lists can't be read.
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
  const read = new Map<MachineWithPath, readonly Part[]>();
  let done = 0;
  await forEachBounded(machines, CONCURRENT_CALLS, async (machine) => {
    signal.throwIfAborted();
    try {
      read.set(machine, await stores.parts.readAll(machine.target.machineId, signal));
    } catch (error) {
      if (signal.aborted) throw error;
    }
    done += 1;
    onProgress(done, machines.length);
  });
  const parts = machines.flatMap((machine) =>
    (read.get(machine) ?? []).map((part) => ({
      machine,
      part: partTarget(machine.target, part),
      config: parseConfigText(part.configText),
    })),
  );
  const configs = parts.map(({ config }) => config);
  const library = await readLibrary(stores, target, configs, signal);
  const using = parts.flatMap(({ machine, part, config }): PartUsing[] => {
    const importPath = findImportPath(config, targetId, (id) => library.configs.get(id));
    const throughNames = importPath?.through.map((id) => library.names.get(id) ?? id) ?? [];
    return importPath ? [{ machine, part, importPath, throughNames }] : [];
  });
  return { parts: using, machines: machines.length, failed: machines.length - read.size };
}

/**
 * Reads the organization's own fragments, and fragments from other organizations that its machines
 * reference.
 */
async function readLibrary(
  { fragments }: FleetStores,
  { organizationId }: FragmentTarget,
  configs: readonly unknown[],
  signal: AbortSignal,
): Promise<Library> {
  const library: Library = { configs: new Map(), names: new Map() };
  const add = (id: string, name: string, configText: string): void => {
    library.configs.set(id, parseConfigText(configText));
    library.names.set(id, name);
  };
  for (const { id, name, configText } of await fragments.readAll(organizationId, signal)) {
    add(id, name, configText);
  }
  for (;;) {
    const named = fragmentsNamedBy(configs, (id) => library.configs.get(id));
    const unknown = [...named].filter((id) => !library.configs.has(id));
    if (unknown.length === 0) return library;
    await forEachBounded(unknown, CONCURRENT_CALLS, async (id) => {
      library.configs.set(id, undefined);
      const found = await fragments.get(fragmentId(id), { signal }).catch(() => undefined);
      signal.throwIfAborted();
      if (found) add(id, found.name, found.configText);
    });
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
