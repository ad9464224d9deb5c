import { fromJsonString, type JsonObject, toJsonString } from '@bufbuild/protobuf';
import {
  type FragmentImport,
  type FragmentImportList,
  FragmentImportListSchema,
} from '../../gen/viam/app/v1/fragment_pb';
import { invalid } from '../errors';
import { listUsableFragmentIds } from '../store/fragments';
import type { OrganizationRow } from '../store/schema';
import type { StoreAccess } from '../store/store';
import { checkJson, checkJsonSize } from './jsonLimits';

const FIELD = 'default_fragments';

/**
 * Returns an organization's default fragments as the string to store.
 * @throws InvalidArgument if the list could be stored but never read by clients.
 */
export function serializeDefaultFragments(list: FragmentImportList): string {
  // The limits apply to the config with which machines begin.
  checkJson({ fragments: list.fragments.map(toConfigEntry) }, FIELD);
  const text = toJsonString(FragmentImportListSchema, list);
  checkJsonSize(text, FIELD);
  return text;
}

/** Parses an organization's stored default fragments. */
export function parseDefaultFragments(text: string): FragmentImportList {
  return fromJsonString(FragmentImportListSchema, text);
}

/**
 * Checks that an organization's machines can use new default fragments. The current list can
 * contain fragments that have since been deleted. Callers who change another entry can send them
 * again.
 * @throws InvalidArgument with the position of the first fragment that they can't use.
 */
export async function requireUsableFragments(
  access: StoreAccess,
  { id: organizationId, default_fragments: current }: OrganizationRow,
  { fragments }: FragmentImportList,
): Promise<void> {
  const known = new Set(
    current === null ? [] : parseDefaultFragments(current).fragments.map((one) => one.fragmentId),
  );
  const usable = await findUsableIds(access, organizationId, fragments);
  for (const [index, { fragmentId }] of fragments.entries()) {
    const field = `${FIELD}.fragments[${String(index)}].fragment_id`;
    if (fragmentId === '') throw invalid(`${field}: must not be empty`);
    if (usable.has(fragmentId) || known.has(fragmentId)) continue;
    throw invalid(
      `${field}: there is no fragment "${fragmentId}" that machines of this organization can use`,
    );
  }
}

/**
 * Returns the config with which new machines of an organization begin. Skips fragments that have
 * been deleted or made private since they were chosen, because no machine can load them.
 * @param text the organization's stored default fragments
 */
export async function createDefaultConfig(
  access: StoreAccess,
  organizationId: string,
  text: string | null,
): Promise<JsonObject> {
  const fragments = text === null ? [] : parseDefaultFragments(text).fragments;
  const usable = await findUsableIds(access, organizationId, fragments);
  const imports = fragments.filter(({ fragmentId }) => usable.has(fragmentId)).map(toConfigEntry);
  return imports.length === 0 ? {} : { fragments: imports };
}

async function findUsableIds(
  access: StoreAccess,
  organizationId: string,
  fragments: readonly FragmentImport[],
): Promise<ReadonlySet<string>> {
  const ids = fragments.map(({ fragmentId }) => fragmentId);
  return new Set(await listUsableFragmentIds(access, organizationId, ids));
}

/** Entry with a deprecated field. `fragmentVariables` replaces this field, but clients still send it. */
type DefaultFragment = Omit<FragmentImport, 'variables'> & { variables: Record<string, string> };

/** Returns an entry in a config's `fragments`. Omits empty fields. */
function toConfigEntry(entry: DefaultFragment): JsonObject {
  const { fragmentId, version, prefix = '', variables: texts, fragmentVariables } = entry;
  const variables = { ...texts, ...fragmentVariables };
  return {
    id: fragmentId,
    ...(version !== '' && { version }),
    ...(prefix !== '' && { prefix }),
    ...(Object.keys(variables).length > 0 && { variables }),
  };
}
