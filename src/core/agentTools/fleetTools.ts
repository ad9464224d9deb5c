import { toolError } from './toolError';
import { FleetError } from '../api/errors';
import type { Location, Machine, OnlineStatus, Organization } from '../model/entities';
import { getConfigStage } from '../model/contractExtensions';
import {
  type LocationId,
  locationId,
  machineId,
  type OrganizationId,
  organizationId,
} from '../model/ids';
import { pathNames } from '../model/locationTree';
import { getPresence } from '../model/presence';
import { findLocationTarget } from '../stores/findMachines';
import { type ListedMachine, listOrganization } from '../stores/organizationListing';
import { type AgentTool, LONG_TIMEOUT_MS, readTool, type ToolContext } from './agentTool';
import { LIMIT_SENTENCE } from './toolAnswer';
import { choice, flag, id, integer, json, list, object, optional, text, time } from './toolSchema';

/** Parameter for an organization, which most keys have only one of. */
export const ORGANIZATION = optional(
  id('ID of the organization. Can be omitted if the connection has only one organization.'),
);

/** Parameter for the position in a list that tools read completely. */
export const OFFSET = optional(
  integer('Number of rows to skip, for the next rows of a long list.', { min: 0, max: 1_000_000 }),
);

const STATUSES = ['online', 'offline', 'awaitingSetup', 'unknown'] as const;

const KINDS = ['organization', 'location', 'machine', 'fragment', 'dataset', 'module'] as const;

/**
 * Returns the organizations to read: the given one, or all organizations that the key can list.
 * @throws FleetError
 */
async function selectOrganizations(
  { stores, signal }: ToolContext,
  requestedId: string | undefined,
): Promise<readonly Organization[]> {
  if (requestedId === undefined) return stores.organizations.list({ signal, fresh: true });
  return [await stores.organizations.get(organizationId(requestedId), { signal, fresh: true })];
}

/**
 * Reads the locations of all organizations again, for finding a resource in the cached lists. Agents
 * run for hours, and nothing else updates the caches of the command line.
 */
export async function refreshLocations({ stores, signal }: ToolContext): Promise<void> {
  const options = { signal, fresh: true };
  const organizations = await stores.organizations.list(options);
  await Promise.all(organizations.map(({ id: owner }) => stores.locations.list(owner, options)));
}

/**
 * Returns the ID of the given organization, or of the only one that the key can list.
 * @throws FleetError `invalid` if there are several and none is given
 */
export async function requireOrganization(
  { stores, signal }: ToolContext,
  requestedId: string | undefined,
): Promise<OrganizationId> {
  if (requestedId !== undefined) return organizationId(requestedId);
  const organizations = await stores.organizations.list({ signal });
  const [only, ...others] = organizations;
  if (only && others.length === 0) return only.id;
  throw toolError(
    'invalid',
    `organizationId is missing. The connection has ${organizations.length} organizations, which fleetwright_list_organizations lists.`,
  );
}

/** Skips rows, and returns no more rows than a complete result can contain. */
export function fromOffset<T>(rows: readonly T[], offset = 0): readonly T[] {
  return rows.slice(offset);
}

const listOrganizations = readTool({
  name: 'fleetwright_list_organizations',
  title: 'List Organizations',
  description: `Lists the organizations that the connection's API key can read, with their IDs and public namespaces. ${LIMIT_SENTENCE}`,
  input: object({ offset: OFFSET }),
  output: object({
    organizations: list(object({ id: id(), name: text(), publicNamespace: text() })),
  }),
  rows: 'organizations',
  run: async ({ offset }, { stores, signal }) => {
    const organizations = await stores.organizations.list({ signal, fresh: true });
    return { data: { organizations: fromOffset(organizations, offset) } };
  },
});

const listLocations = readTool({
  name: 'fleetwright_list_locations',
  title: 'List Locations',
  description: `Lists the locations of an organization as paths in the location tree, with the number of machines directly in each. ${LIMIT_SENTENCE}`,
  input: object({ organizationId: ORGANIZATION, offset: OFFSET }),
  output: object({
    locations: list(
      object({
        id: id(),
        organizationId: id(),
        name: text(),
        path: list(text(), 'Names of the locations from the top of the tree to this one.'),
        parentId: optional(id()),
        machineCount: integer(),
      }),
    ),
  }),
  rows: 'locations',
  run: async ({ organizationId: requestedId, offset }, context) => {
    const { stores, signal } = context;
    const organizations = await selectOrganizations(context, requestedId);
    const locations = await Promise.all(
      organizations.map(({ id: organization }) =>
        stores.locations.list(organization, { signal, fresh: true }),
      ),
    );
    const rows = locations.flatMap((listed) => {
      const byId = new Map(listed.map((location) => [location.id, location]));
      return listed.map((location) => ({ ...location, path: pathNames(location.id, byId) }));
    });
    return { data: { locations: fromOffset(rows, offset) } };
  },
});

const listMachines = readTool({
  name: 'fleetwright_list_machines',
  title: 'List Machines',
  description: `Lists machines with their online status and last contact, in all organizations, one organization, or one location with everything inside it. Can be filtered by status and by words in names. ${LIMIT_SENTENCE}`,
  input: object({
    organizationId: optional(id('Only machines of this organization.')),
    locationId: optional(id('Only machines of this location and the locations inside it.')),
    status: optional(choice(STATUSES, 'Only machines with this status.')),
    search: optional(text('Only machines whose name or path contains all of these words.', 200)),
    offset: OFFSET,
  }),
  output: object({
    machines: list(
      object({
        id: id(),
        name: text(),
        status: choice(STATUSES),
        lastSeen: optional(time('Last contact with the machine.')),
        organizationId: id(),
        locationId: id(),
        path: list(text(), 'Names of the organization and the locations that contain the machine.'),
      }),
    ),
    unreadableLocations: integer('Number of locations whose machines could not be read.'),
  }),
  rows: 'machines',
  timeoutMs: LONG_TIMEOUT_MS,
  run: async (
    { organizationId: requestedId, locationId: within, status, search, offset },
    context,
  ) => {
    const words = toWords(search);
    const { found, unreadable } = await readMachines(context, requestedId, within);
    const machines = found
      .map((entry) => toMachineRow(entry, context.clock.now()))
      .filter((row) => status === undefined || row.status === status)
      .filter((row) => containsWords(words, [row.name, row.id, ...row.path]));
    return { data: { machines: fromOffset(machines, offset), unreadableLocations: unreadable } };
  },
});

interface OrganizationMachine extends ListedMachine {
  readonly organization: Organization;
}

async function readMachines(
  context: ToolContext,
  requestedId: string | undefined,
  within: string | undefined,
): Promise<{ readonly found: readonly OrganizationMachine[]; readonly unreadable: number }> {
  const { stores, connectionId, signal } = context;
  if (within !== undefined) await refreshLocations(context);
  const target =
    within === undefined
      ? undefined
      : await findLocationTarget(stores, connectionId, locationId(within));
  if (within !== undefined && !target) {
    throw toolError('notFound', 'No organization of the connection contains the location.');
  }
  const organizations = await selectOrganizations(context, target?.organizationId ?? requestedId);
  const found: OrganizationMachine[] = [];
  let unreadable = 0;
  for (const [index, organization] of organizations.entries()) {
    const { machines, failed } = await listOrganization(stores, organization, {
      signal,
      fresh: true,
    });
    unreadable += failed;
    found.push(...machines.map((listed) => ({ ...listed, organization })));
    context.reportProgress(index + 1, organizations.length);
  }
  const isInside = ({ locations }: OrganizationMachine): boolean =>
    !target || locations.some((location) => location.id === target.locationId);
  // Locations that are shared between organizations are listed by each of them.
  const unique = new Map(found.filter(isInside).map((entry) => [entry.machine.id, entry]));
  return { found: [...unique.values()], unreadable };
}

function toMachineRow(
  { machine, locations, organization }: OrganizationMachine,
  now: Date,
): {
  readonly id: string;
  readonly name: string;
  readonly status: OnlineStatus;
  readonly lastSeen: string | undefined;
  readonly organizationId: OrganizationId;
  readonly locationId: LocationId;
  readonly path: readonly string[];
} {
  const { status, lastSeen } = getPresence(machine, now);
  return {
    id: machine.id,
    name: machine.name,
    status,
    lastSeen: lastSeen?.toISOString(),
    organizationId: organization.id,
    locationId: machine.locationId,
    path: [organization.name, ...locations.map(({ name }) => name)],
  };
}

const getMachine = readTool({
  name: 'fleetwright_get_machine',
  title: 'View Machine',
  description: `Returns one machine with its status and its parts. For each part: status, last contact, address, and the stage of its config (saved, fetched, applied, or neverFetched). ${LIMIT_SENTENCE}`,
  input: object({ machineId: id('ID of the machine.') }),
  output: object({
    id: id(),
    name: text(),
    status: choice(STATUSES),
    lastSeen: optional(time()),
    locationId: id(),
    parts: list(
      object({
        id: id(),
        name: text(),
        isMain: flag(),
        status: choice(STATUSES),
        lastSeen: optional(time()),
        address: text(),
        configStage: optional(choice(['saved', 'fetched', 'applied', 'neverFetched'])),
      }),
    ),
  }),
  rows: 'parts',
  run: async ({ machineId: requestedId }, { stores, signal, clock }) => {
    const now = clock.now();
    const target = machineId(requestedId);
    const [machine, parts] = await Promise.all([
      stores.machines.get(target, { signal, fresh: true }),
      stores.parts.list(target, { signal, fresh: true }),
    ]);
    return {
      data: {
        ...toPresence(machine, now),
        id: machine.id,
        name: machine.name,
        locationId: machine.locationId,
        parts: parts.map((part) => ({
          ...toPresence(part, now),
          id: part.id,
          name: part.name,
          isMain: part.main,
          address: part.fqdn,
          configStage: part.configState && getConfigStage(part.configState),
        })),
      },
    };
  },
});

function toPresence(
  contact: Pick<Machine, 'status' | 'lastAccess'>,
  now: Date,
): { readonly status: OnlineStatus; readonly lastSeen: string | undefined } {
  const { status, lastSeen } = getPresence(contact, now);
  return { status, lastSeen: lastSeen?.toISOString() };
}

const getMetadata = readTool({
  name: 'fleetwright_get_metadata',
  title: 'View Metadata',
  description:
    'Returns the metadata of an organization, a location, a machine, or a part: a JSON object that users write. An answer has at most 64 KiB.',
  input: object({
    kind: choice(['organization', 'location', 'machine', 'part'], 'Kind of the resource.'),
    resourceId: id('ID of the resource.'),
  }),
  output: object({ metadata: json() }),
  run: async ({ kind, resourceId }, { stores, signal }) => ({
    data: { metadata: await stores.metadata.get(kind, resourceId, { signal }) },
  }),
});

const findResources = readTool({
  name: 'fleetwright_find_resources',
  title: 'Find Resources',
  description: `Finds organizations, locations, machines, fragments, datasets, and registry items by words in their names, or by ID. ${LIMIT_SENTENCE}`,
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
    const words = toWords(query);
    if (words.length === 0) throw toolError('invalid', 'query must contain a word or an ID.');
    const organizations = await selectOrganizations(context, requestedId);
    const listed: ListedResource[] = [];
    for (const [index, organization] of organizations.entries()) {
      listed.push(...(await listResources(context, organization, new Set(kinds))));
      context.reportProgress(index + 1, organizations.length);
    }
    const matching = listed.filter((one) => containsWords(words, [one.name, one.id, ...one.path]));
    return { data: { resources: fromOffset(matching, offset) } };
  },
});

interface ListedResource {
  readonly kind: (typeof KINDS)[number];
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
    ifAllowed('module', () => stores.registry.list(owner, options)),
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
    ...items.map((one) => ({ ...within, kind: 'module' as const, id: one.id, name: one.name })),
  ];
}

async function listSites(
  { stores, signal }: Pick<ToolContext, 'stores' | 'signal'>,
  organization: Organization,
  kinds: ReadonlySet<string>,
): Promise<readonly ListedResource[]> {
  if (!kinds.has('machine') && !kinds.has('location')) return [];
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
  ];
}

function toWords(search = ''): readonly string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

function containsWords(words: readonly string[], texts: readonly string[]): boolean {
  const all = texts.join('\n').toLowerCase();
  return words.every((word) => all.includes(word));
}

export const fleetTools: readonly AgentTool[] = [
  findResources,
  listOrganizations,
  listLocations,
  listMachines,
  getMachine,
  getMetadata,
];
