import { forEachBounded } from '../../base/bounded';
import { parseConfigText } from '../documents/resolvedText';
import { parseImports } from '../fragments/fragmentImport';
import { fragmentId, type MachineId, type OrganizationId } from '../model/ids';
import type { FleetStores } from '../stores/fleetStores';
import type { SummarizedMachine } from '../stores/requestSummaries';

const CONCURRENT_CALLS = 8;

interface KnownFragment {
  /** Name of the fragment; empty if the fragment can't be read. */
  readonly name: string;
  readonly imports: readonly string[];
}

/** Fragments that machines use, as read so far. */
export interface FragmentUses {
  /** Fragments that the parts' configs reference directly, by machine. */
  readonly named: Map<MachineId, readonly string[]>;
  readonly unreadable: Set<MachineId>;
  readonly fragments: Map<string, KnownFragment>;
  hasOwnFragments: boolean;
}

/**
 * Reads the fragments of machines into `uses`, and then the missing contents of fragments. Records
 * machines that can't be read individually as unreadable.
 *
 * @param organization organization whose own fragments are read with one call
 */
export async function readFragmentUses(
  stores: FleetStores,
  organization: OrganizationId,
  machines: readonly SummarizedMachine[],
  uses: FragmentUses,
  signal: AbortSignal,
): Promise<void> {
  const left = await stores.machineSummaries.read(
    organization,
    machines,
    (summaries) => {
      for (const [id, { fragmentIds }] of summaries) uses.named.set(id, fragmentIds);
    },
    { signal },
  );
  await forEachBounded(left, CONCURRENT_CALLS, async ({ id }) => {
    signal.throwIfAborted();
    try {
      const parts = await stores.parts.readAll(id, signal);
      const imports = parts.flatMap(({ configText }) => namesIn(configText));
      uses.named.set(id, [...new Set(imports)]);
    } catch (error) {
      if (signal.aborted) throw error;
      uses.unreadable.add(id);
    }
  });
  await readFragments(stores, organization, uses, signal);
}

async function readFragments(
  stores: FleetStores,
  organization: OrganizationId,
  uses: FragmentUses,
  signal: AbortSignal,
): Promise<void> {
  const { named, fragments } = uses;
  if (!uses.hasOwnFragments) {
    for (const { id, name, configText } of await stores.fragments.readAll(organization, signal)) {
      fragments.set(id, { name, imports: namesIn(configText) });
    }
    uses.hasOwnFragments = true;
  }
  for (;;) {
    const all = [...named.values(), ...[...fragments.values()].map((one) => one.imports)];
    const unknown = [...new Set(all.flat())].filter((id) => !fragments.has(id));
    if (unknown.length === 0) return;
    await forEachBounded(unknown, CONCURRENT_CALLS, async (id) => {
      const found = await stores.fragments.get(fragmentId(id), { signal }).catch(() => undefined);
      signal.throwIfAborted();
      fragments.set(id, { name: found?.name ?? '', imports: namesIn(found?.configText) });
    });
  }
}

function namesIn(configText: string | undefined): readonly string[] {
  if (configText === undefined) return [];
  return parseImports(parseConfigText(configText)).map(({ id }) => id);
}
