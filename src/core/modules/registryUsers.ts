import { forEachBounded } from '../../base/bounded';
import { parseConfigText } from '../documents/resolvedText';
import { parseImports } from '../fragments/fragmentImport';
import { registryReferencesIn } from '../fragments/registryReferences';
import type { ConnectionId } from '../model/ids';
import type { RegistryItem } from '../model/registryItem';
import type { FleetStores } from '../stores/fleetStores';
import { machinesIn } from '../stores/findMachines';

/** Machine or fragment in the item's own organization whose config references the item. */
export interface RegistryUser {
  readonly kind: 'machine' | 'fragment';
  readonly name: string;
  /** Versions as written in the configs. */
  readonly versions: ReadonlySet<string>;
}

const CONCURRENT_CALLS = 8;

/**
 * Finds the machines in an item's organization that use the item, directly or through fragments,
 * and the fragments that reference it. Makes one call for all fragments and, if the service reports
 * that machines use the item, one for each machine. Skips machines that can't be read. @throws
 * FleetError when the lists can't be read.
 */
export async function findRegistryUsers(
  stores: FleetStores,
  connectionId: ConnectionId,
  item: RegistryItem,
  signal: AbortSignal,
  onProgress: (done: number, of: number) => void = () => undefined,
): Promise<readonly RegistryUser[]> {
  const { organizationId } = item;
  const ids = new Set([`${organizationId}:${item.name}`, `${item.namespace}:${item.name}`]);
  const fragments = (await stores.fragments.readAll(organizationId, signal)).map(
    ({ id, name, configText }) => ({
      id: String(id),
      name,
      versions: versionsIn(configText, ids),
      imports: importsIn(configText),
    }),
  );
  const byFragment = new Map(fragments.map((fragment) => [fragment.id, fragment]));
  const own: RegistryUser[] = [];
  if (item.machinesUsing > (item.otherMachinesUsing ?? 0)) {
    const scope = { kind: 'organization', connectionId, organizationId, name: '' } as const;
    const machines = await machinesIn(stores, scope, signal);
    let done = 0;
    await forEachBounded(machines, CONCURRENT_CALLS, async ({ target }) => {
      const parts = await stores.parts.readAll(target.machineId, signal).catch(() => []);
      signal.throwIfAborted();
      const versions = parts.flatMap(({ configText }) => {
        const imported = new Set(importsIn(configText));
        // The loop also visits fragments that are added during iteration. It terminates despite
        // cycles, because each fragment is added only once.
        for (const id of imported) {
          for (const nested of byFragment.get(id)?.imports ?? []) imported.add(nested);
        }
        const through = [...imported].flatMap((id) => [...(byFragment.get(id)?.versions ?? [])]);
        return [...versionsIn(configText, ids), ...through];
      });
      if (versions.length > 0) {
        own.push({ kind: 'machine', name: target.name, versions: new Set(versions) });
      }
      done += 1;
      onProgress(done, machines.length);
    });
  }
  const naming = fragments
    .filter(({ versions }) => versions.size > 0)
    .map(({ name, versions }): RegistryUser => ({ kind: 'fragment', name, versions }));
  const inOrder = (a: RegistryUser, b: RegistryUser): number =>
    a.name.localeCompare(b.name, undefined, { numeric: true });
  return [...own.toSorted(inOrder), ...naming.toSorted(inOrder)];
}

/**
 * Returns an item's versions that a config references. A config that isn't valid JSON references
 * nothing, which is also how the service treats it.
 */
function versionsIn(configText: string, ids: ReadonlySet<string>): ReadonlySet<string> {
  const references = registryReferencesIn(parseConfigText(configText));
  return new Set(references.filter(({ itemId }) => ids.has(itemId)).map(({ version }) => version));
}

function importsIn(configText: string): readonly string[] {
  return parseImports(parseConfigText(configText)).map(({ id }) => id);
}
