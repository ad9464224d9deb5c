import { parseImports } from '../../core/fragments/fragmentImport';
import { MAX_NESTING } from '../../core/fragments/resolveConfig';
import { asRevision } from '../store/configVersions';
import {
  type FragmentWithOwner,
  listFragmentRevisionsNamed,
  listUsableFragments,
} from '../store/fragments';
import { measureTexts, type StoreAccess } from '../store/store';

/** Fragment that a config refers to, and its pinned revision; undefined for the newest revision. */
export interface FragmentReference {
  id: string;
  version: string | undefined;
}

/** Fragments in order of appearance, each in the version that the config uses. */
export type LoadedFragments = ReadonlyMap<string, FragmentWithOwner>;

/** Returns the key of a fragment's version in `LoadedFragments`. */
export function fragmentKey({ id, version }: FragmentReference): string {
  return JSON.stringify([id, version ?? null]);
}

/**
 * Reads fragments and their nested fragments, level by level, as available to an organization's
 * machines. Skips fragments that don't exist or aren't accessible. Requires four queries per level.
 * @param addBytes called with the size of each level before that level's configs are read
 * @throws the error from `addBytes`
 */
export async function loadFragments(
  access: StoreAccess,
  organizationId: string,
  references: readonly FragmentReference[],
  addBytes: (bytes: number) => void,
): Promise<LoadedFragments> {
  const loaded = new Map<string, FragmentWithOwner>();
  let level = references;
  for (let depth = 0; depth < MAX_NESTING && level.length > 0; depth += 1) {
    const requested = new Map(level.map((reference) => [fragmentKey(reference), reference]));
    const missing = [...requested].filter(([key]) => !loaded.has(key));
    const missingReferences = missing.map(([, reference]) => reference);
    addBytes(await measureFragments(access, missingReferences));
    const read = await readFragments(access, organizationId, missingReferences);
    for (const [key] of missing) {
      const fragment = read.get(key);
      if (fragment !== undefined) loaded.set(key, fragment);
    }
    level = [...read.values()].flatMap((row) => parseImports(JSON.parse(row.config_json)));
  }
  return loaded;
}

/**
 * Returns the size of the configs that `readFragments` reads: the newest and the pinned revisions.
 */
async function measureFragments(
  access: StoreAccess,
  references: readonly FragmentReference[],
): Promise<number> {
  const newest = await measureTexts(access, {
    table: 'fragments',
    column: 'config_json',
    id: references.map(({ id }) => id),
  });
  const pinned = await measureTexts(access, {
    table: 'fragment_revisions',
    column: 'old_config_json',
    idColumn: 'old_revision',
    id: references.flatMap(({ version }) => version ?? []),
  });
  return newest + pinned;
}

async function readFragments(
  access: StoreAccess,
  organizationId: string,
  references: readonly FragmentReference[],
): Promise<Map<string, FragmentWithOwner>> {
  const newest = new Map(
    (
      await listUsableFragments(
        access,
        organizationId,
        references.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  );
  const past = await listFragmentRevisionsNamed(
    access,
    organizationId,
    references.flatMap(({ version }) => version ?? []),
  );
  const found = new Map<string, FragmentWithOwner>();
  for (const reference of references) {
    const row = newest.get(reference.id);
    const { version } = reference;
    if (row === undefined) continue;
    if (version === undefined || version === row.revision) {
      found.set(fragmentKey(reference), row);
      continue;
    }
    const revision = past.find(
      (one) => one.fragment_id === reference.id && one.old_revision === version,
    );
    if (revision !== undefined) found.set(fragmentKey(reference), asRevision(row, revision));
  }
  return found;
}
