import { FleetError } from '../api/errors';
import { getConfigStage } from '../model/contractExtensions';
import type { Machine, OnlineStatus, Organization } from '../model/entities';
import { type LocationId, locationId, machineId, type OrganizationId } from '../model/ids';
import { pathNames } from '../model/locationTree';
import { getPresence } from '../model/presence';
import { findLocationTarget } from '../stores/findMachines';
import {
  type ListedMachine,
  listOrganization,
  matchesSearchTerms,
  toSearchTerms,
} from '../stores/organizationListing';
import { type AgentTool, LONG_TIMEOUT_MS, readTool, type ToolContext } from './agentTool';
import { LIMIT_SENTENCE } from './toolAnswer';
import {
  fromOffset,
  OFFSET,
  ORGANIZATION,
  refreshLocations,
  selectOrganizations,
} from './toolParameters';
import { choice, flag, id, integer, json, list, object, optional, text, time } from './toolSchema';

const STATUSES = ['online', 'offline', 'awaitingSetup', 'unknown'] as const;

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
    { organizationId: requestedId, locationId: within, status, search = '', offset },
    context,
  ) => {
    const terms = toSearchTerms({ text: search });
    const { machines, unreadableLocations } = await readMachines(context, requestedId, within);
    const rows = machines
      .map((entry) => toMachineRow(entry, context.clock.now()))
      .filter((row) => status === undefined || row.status === status)
      .filter(({ name, id: ownId, path }) => matchesSearchTerms(terms, [name, ...path], ownId));
    return { data: { machines: fromOffset(rows, offset), unreadableLocations } };
  },
});

interface OrganizationMachine extends ListedMachine {
  readonly organization: Organization;
}

async function readMachines(
  context: ToolContext,
  requestedId: string | undefined,
  within: string | undefined,
): Promise<{
  readonly machines: readonly OrganizationMachine[];
  readonly unreadableLocations: number;
}> {
  const { stores, connectionId, signal } = context;
  if (within !== undefined) await refreshLocations(context);
  const target =
    within === undefined
      ? undefined
      : await findLocationTarget(stores, connectionId, locationId(within));
  if (within !== undefined && !target) {
    throw new FleetError('notFound', 'No organization of the connection contains the location.');
  }
  const organizations = await selectOrganizations(context, target?.organizationId ?? requestedId);
  const listed: OrganizationMachine[] = [];
  let unreadableLocations = 0;
  for (const [index, organization] of organizations.entries()) {
    const { machines, failed } = await listOrganization(stores, organization, {
      signal,
      fresh: true,
    });
    unreadableLocations += failed;
    listed.push(...machines.map((entry) => ({ ...entry, organization })));
    context.reportProgress(index + 1, organizations.length);
  }
  const isInside = ({ locations }: OrganizationMachine): boolean =>
    !target || locations.some((location) => location.id === target.locationId);
  // Locations that are shared between organizations are listed by each of them.
  const unique = new Map(listed.filter(isInside).map((entry) => [entry.machine.id, entry]));
  return { machines: [...unique.values()], unreadableLocations };
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

export const fleetTools: readonly AgentTool[] = [
  listOrganizations,
  listLocations,
  listMachines,
  getMachine,
  getMetadata,
];
