import { forEachBounded } from '../../base/bounded';
import { parseConfigText } from '../documents/resolvedText';
import { findFragmentWay, fragmentsNamedBy, type FragmentWay } from '../fragments/fragmentWay';
import type { Part } from '../model/entities';
import { fragmentId } from '../model/ids';
import type { FragmentTarget, PartTarget } from '../model/resourceTarget';
import type { FleetStores } from '../stores/fleetStores';
import { machinesIn, partTarget, type MachineWithPath } from '../stores/machinesInScope';

/** Part that uses a fragment, and the chain of fragments through which the part uses it. */
export interface PartUsing {
  readonly machine: MachineWithPath;
  readonly part: PartTarget;
  readonly way: FragmentWay;
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
 * fragments. Makes one call for all fragments and one for the parts of each machine. @throws
 * FleetError when the lists can't be read.
 */
export async function findMachinesUsing(
  stores: FleetStores,
  target: FragmentTarget,
  signal: AbortSignal,
  onProgress: (done: number, of: number) => void = () => undefined,
): Promise<MachinesUsing> {
  const { connectionId, organizationId, fragmentId: wanted } = target;
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
    const way = findFragmentWay(config, wanted, (id) => library.configs.get(id));
    const throughNames = way?.through.map((id) => library.names.get(id) ?? id) ?? [];
    return way ? [{ machine, part, way, throughNames }] : [];
  });
  return { parts: using, machines: machines.length, failed: machines.length - read.size };
}

/**
 * Reads the organization's own fragments, and fragments of other organizations that its machines
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
