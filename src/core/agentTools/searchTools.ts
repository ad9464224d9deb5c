import { FleetError } from '../api/errors';
import { forEachBounded } from '../../base/bounded';
import type { Location, Organization, PartSummary } from '../model/entities';
import type { MachineId, OrganizationId } from '../model/ids';
import { pathNames } from '../model/locationTree';
import {
  type ListedMachine,
  listOrganization,
  matchesSearchTerms,
  toSearchTerms,
} from '../stores/organizationListing';
import { type AgentTool, LONG_TIMEOUT_MS, readTool, type ToolContext } from './agentTool';
import { LIMIT_SENTENCE } from './toolAnswer';
import { fromOffset, OFFSET, selectOrganizations } from './toolParameters';
import { choice, id, list, object, optional, text } from './toolSchema';

const KINDS = [
  'organization',
  'location',
  'machine',
  'part',
  'fragment',
  'dataset',
  'registry_item',
] as const;
/** Number of concurrent calls to a service that doesn't list the parts of several machines. */
const CONCURRENT_LISTS = 8;

const findResources = readTool({
  name: 'fleetwright_find_resources',
  title: 'Find Resources',
  description: `Finds organizations, locations, machines, parts, fragments, datasets, and registry items by words in their names, or by ID. ${LIMIT_SENTENCE}`,
  input: object({
    query: text('Words that the name or the path contains, or an ID.', 200),
    kinds: optional(list(choice(KINDS), 'Kinds of resources to find; all by default.', 10)),
    organizationId: optional(id('Only resources of this organization.')),
    offset: OFFSET,
  }),
  output: object({
    resources: list(
      object({
        kind: choice(KINDS),
        type: optional(text('Type of a registry item, such as module or ml_model.')),
        id: id(),
        name: text(),
        organizationId: id(),
        path: list(text()),
      }),
    ),
  }),
  rows: 'resources',
  timeoutMs: LONG_TIMEOUT_MS,
  run: async ({ query, kinds = KINDS, organizationId: requestedId, offset }, context) => {
    const terms = toSearchTerms({ text: query });
    if (terms.length === 0) throw new FleetError('invalid', 'query must contain a word or an ID.');
    const organizations = await selectOrganizations(context, requestedId);
    const listed: ListedResource[] = [];
    for (const [index, organization] of organizations.entries()) {
      listed.push(...(await listResources(context, organization, new Set(kinds))));
      context.reportProgress(index + 1, organizations.length);
    }
    const matching = listed.filter(({ name, path, id: ownId }) =>
      matchesSearchTerms(terms, [name, ...path], ownId),
    );
    return { data: { resources: fromOffset(matching, offset) } };
  },
});

interface ListedResource {
  readonly kind: (typeof KINDS)[number];
  readonly type?: string;
  readonly id: string;
  readonly name: string;
  readonly organizationId: OrganizationId;
  readonly path: readonly string[];
}

async function listResources(
  { stores, signal }: ToolContext,
  organization: Organization,
  kinds: ReadonlySet<string>,
): Promise<readonly ListedResource[]> {
  const { id: owner, name } = organization;
  const within = { organizationId: owner, path: [name] };
  const options = { signal, fresh: true };
  const ifAllowed = async <T>(kind: string, read: () => Promise<readonly T[]>) => {
    if (!kinds.has(kind)) return [];
    try {
      return await read();
    } catch (error) {
      // A key for a location can't list what belongs to the whole organization.
      if (error instanceof FleetError && error.kind === 'permission') return [];
      throw error;
    }
  };
  const [sites, fragments, datasets, items] = await Promise.all([
    listSites({ stores, signal }, organization, kinds),
    ifAllowed('fragment', () => stores.fragments.list(owner, options)),
    ifAllowed('dataset', () => stores.datasets.list(owner, options)),
    ifAllowed('registry_item', () => stores.registry.list(owner, options)),
  ]);
  return [
    ...(kinds.has('organization')
      ? [{ kind: 'organization' as const, id: owner, name, organizationId: owner, path: [] }]
      : []),
    ...sites,
    ...fragments.map((one) => ({
      ...within,
      kind: 'fragment' as const,
      id: one.id,
      name: one.name,
    })),
    ...datasets.map((one) => ({ ...within, kind: 'dataset' as const, id: one.id, name: one.name })),
    ...items.map(({ id: item, name: itemName, type }) => ({
      ...within,
      kind: 'registry_item' as const,
      type,
      id: item,
      name: itemName,
    })),
  ];
}

async function listSites(
  { stores, signal }: Pick<ToolContext, 'stores' | 'signal'>,
  organization: Organization,
  kinds: ReadonlySet<string>,
): Promise<readonly ListedResource[]> {
  if (!['location', 'machine', 'part'].some((kind) => kinds.has(kind))) return [];
  const { locations, machines } = await listOrganization(stores, organization, {
    signal,
    fresh: true,
  });
  const byId = new Map(locations.map((location) => [location.id, location]));
  const toLocation = (location: Location): ListedResource => ({
    kind: 'location',
    id: location.id,
    name: location.name,
    organizationId: organization.id,
    path: [organization.name, ...pathNames(location.id, byId).slice(0, -1)],
  });
  const toMachine = ({ machine, locations: above }: ListedMachine): ListedResource => ({
    kind: 'machine',
    id: machine.id,
    name: machine.name,
    organizationId: organization.id,
    path: [organization.name, ...above.map(({ name }) => name)],
  });
  return [
    ...(kinds.has('location') ? locations.map(toLocation) : []),
    ...(kinds.has('machine') ? machines.map(toMachine) : []),
    ...(kinds.has('part') ? await listParts({ stores, signal }, organization, machines) : []),
  ];
}

/** Lists the parts of machines, with one call per machine only if the service has no summaries. */
async function listParts(
  { stores, signal }: Pick<ToolContext, 'stores' | 'signal'>,
  organization: Organization,
  machines: readonly ListedMachine[],
): Promise<readonly ListedResource[]> {
  const byId = new Map(machines.map((listed) => [listed.machine.id, listed]));
  const resources: ListedResource[] = [];
  const add = (id: MachineId, parts: readonly Pick<PartSummary, 'id' | 'name'>[]): void => {
    const listed = byId.get(id);
    if (!listed) return;
    const path = [
      organization.name,
      ...listed.locations.map(({ name }) => name),
      listed.machine.name,
    ];
    for (const part of parts) {
      resources.push({
        kind: 'part',
        id: part.id,
        name: part.name,
        organizationId: organization.id,
        path,
      });
    }
  };
  const remaining = await stores.machineSummaries.read(
    organization.id,
    machines.map(({ machine }) => machine),
    (summaries) => {
      for (const [id, { parts }] of summaries) add(id, parts);
    },
    { signal, fresh: true },
  );
  await forEachBounded(remaining, CONCURRENT_LISTS, async ({ id }) => {
    add(id, await stores.parts.list(id, { signal, fresh: true }));
  });
  return resources;
}

export const searchTools: readonly AgentTool[] = [findResources];
