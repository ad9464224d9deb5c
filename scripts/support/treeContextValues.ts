import type { OnlineStatus } from '../../src/core/model/entities';
import {
  apiKeyId,
  datasetId,
  fragmentId,
  locationId,
  machineId,
  organizationId,
  partId,
  registryItemId,
  userId,
} from '../../src/core/model/ids';
import { systemClock } from '../../src/base/clock';
import { toConnectionId } from '../../src/core/model/connection';
import { FleetError } from '../../src/core/api/errors';
import { clientsOver } from '../../src/core/api/fleetClients';
import { EVERYTHING, type Granted } from '../../src/core/model/permissions';
import type { KnownItemType, RegistryItem } from '../../src/core/model/registryItem';
import { FleetStores } from '../../src/core/stores/fleetStores';
import { createRouterTransport } from '@connectrpc/connect';
import { PLAIN } from '../../src/host/features/fleet/arrangement';
import { FleetListings } from '../../src/host/features/fleet/fleetListings';
import {
  ApiKeyNode,
  ApiKeysNode,
  InviteNode,
  MemberNode,
  MembersNode,
  RoleNode,
} from '../../src/host/features/fleet/nodes/accessNodes';
import { DatasetNode, DatasetsNode } from '../../src/host/features/fleet/nodes/datasetNodes';
import { ErrorNode, HintNode, LoadMoreNode } from '../../src/host/features/fleet/nodes/listNodes';
import type { FleetNode } from '../../src/host/features/fleet/nodes/fleetNode';
import { FragmentNode, FragmentsNode } from '../../src/host/features/fleet/nodes/fragmentNodes';
import { LocationNode } from '../../src/host/features/fleet/nodes/locationNode';
import { MachineGroupNode } from '../../src/host/features/fleet/nodes/machineGroupNode';
import {
  MachineContextValues,
  MachineNode,
  PartNode,
} from '../../src/host/features/fleet/nodes/machineNode';
import { OrganizationNode } from '../../src/host/features/fleet/nodes/organizationNode';
import {
  RegistryFileNode,
  RegistryFolderNode,
  RegistryItemNode,
  RegistryVersionNode,
} from '../../src/host/features/fleet/nodes/registryNodes';
import type { FleetContext, OrganizationScope } from '../../src/host/features/fleet/nodes/treeNode';

const clock = systemClock;
const statuses: readonly OnlineStatus[] = ['online', 'offline', 'awaitingSetup', 'unknown'];

/**
 * Returns three locations: one that isn't shared, one that is shared with another organization, and
 * one that another organization shares.
 */
function createLocations(
  parent: OrganizationNode,
  scope: OrganizationScope,
  granted: Granted,
): readonly [LocationNode, LocationNode, LocationNode] {
  const other = organizationId('other');
  const location = {
    id: locationId('l'),
    organizationId: organizationId('o'),
    name: 'l',
    parentId: undefined,
    machineCount: 0,
    region: '',
    owner: undefined,
    sharedWith: [],
    createdOn: undefined,
  };
  return [
    new LocationNode(parent, scope, location, granted),
    new LocationNode(parent, scope, { ...location, sharedWith: [other] }, granted),
    new LocationNode(parent, scope, { ...location, owner: { id: other, name: '' } }, granted),
  ];
}

const ITEM_TYPES: readonly KnownItemType[] = [
  'archive',
  'mlModel',
  'module',
  'slamMap',
  'trainingScript',
];

/** Returns the registry's folders, and items of every type with a version and its archive. */
function registryNodes(
  organization: OrganizationNode,
  scope: OrganizationScope,
): readonly FleetNode[] {
  const version = { version: '1.0.0', createdAt: undefined, files: [] };
  const item: RegistryItem = {
    id: registryItemId('o:i'),
    organizationId: organizationId('o'),
    namespace: '',
    name: 'i',
    type: 'module',
    visibility: 'private',
    status: 'inDevelopment',
    url: '',
    description: '',
    markdown: undefined,
    versions: [version],
    models: [],
    entrypoint: '',
    machinesUsing: 0,
    organizationsUsing: 0,
    deprecated: undefined,
    updatedAt: undefined,
  };
  const folders = (['modules', 'otherItems'] as const).map(
    (kind) => new RegistryFolderNode(kind, organization, scope, organization.target),
  );
  const items = ITEM_TYPES.flatMap((type) => {
    const node = new RegistryItemNode(organization, scope, { ...item, type });
    const versionNode = new RegistryVersionNode(node, scope, node.target, version);
    const file = { platform: 'any', createdOn: undefined, sizeBytes: 1, checksum: '' };
    const fileNode = new RegistryFileNode(versionNode, scope, versionNode.target, file);
    return [node, versionNode, fileNode];
  });
  return [...folders, ...items];
}

/**
 * Returns the context values of nodes of every kind and state, for a key with the given permissions
 * on all resources.
 * @param onOrganization permissions on the organization itself, if they are different
 */
export function contextValuesOfTree(
  granted: Granted = EVERYTHING,
  onOrganization = granted,
): readonly string[] {
  const stores = new FleetStores(clientsOver(createRouterTransport(() => undefined)));
  const listings = new FleetListings(stores, clock, new Map(), new AbortController().signal);
  const context: FleetContext = {
    connection: {
      id: toConnectionId('0b2f6f1c-7a41-4d2e-9a55-0c8f1e6d4b3a'),
      label: '',
      baseUrl: 'http://127.0.0.1:1',
      keyId: '',
      kind: 'cloud',
    },
    stores,
    clock,
    shownCount: () => 1,
    arrangement: PLAIN,
    listings,
    onUsesRead: () => undefined,
  };
  const organization = new OrganizationNode(
    context,
    {
      id: organizationId('o'),
      name: 'o',
      publicNamespace: '',
      region: '',
      crmId: '',
      createdOn: undefined,
    },
    onOrganization,
  );
  const scope = {
    context,
    organizationId: organizationId('o'),
    nodeId: organization.id,
    granted: onOrganization,
  };
  const [location, shared, foreign] = createLocations(organization, scope, granted);
  const machines = statuses.map(
    (status) =>
      new MachineNode(
        location,
        scope,
        {
          id: machineId('m'),
          locationId: locationId('l'),
          name: 'm',
          status,
          lastAccess: undefined,
          createdOn: undefined,
        },
        granted,
        clock.now(),
        new MachineContextValues(scope),
      ),
  );
  const parts = machines.flatMap((machine) =>
    [true, false].map(
      (main) =>
        new PartNode(
          machine,
          scope,
          machine.target,
          {
            id: partId('p'),
            machineId: machine.machine.id,
            locationId: locationId('l'),
            name: 'p',
            main,
            fqdn: main ? 'p.example.com' : '',
            status: machine.machine.status,
            lastAccess: undefined,
            lastUpdated: undefined,
          },
          granted,
          clock.now(),
        ),
    ),
  );
  const group = new MachineGroupNode(
    organization,
    scope,
    { type: 'status', status: 'offline' },
    [],
    listings.usesIn(organizationId('o')),
  );
  const fragments = new FragmentsNode(organization, scope, organization.target);
  const fragment = new FragmentNode(fragments, scope, {
    id: fragmentId('f'),
    organizationId: organizationId('o'),
    organizationName: 'o',
    name: 'f',
    visibility: 'private',
    revision: '',
    partCount: 0,
    createdOn: undefined,
    lastUpdated: undefined,
  });
  const datasets = new DatasetsNode(organization, scope, organization.target);
  const dataset = new DatasetNode(datasets, scope, {
    id: datasetId('d'),
    organizationId: organizationId('o'),
    name: 'd',
    createdOn: undefined,
  });
  const members = new MembersNode(organization, scope, organization.target);
  const role = { name: 'owner', resourceType: 'organization', resourceId: 'o' } as const;
  const member = new MemberNode(
    members,
    scope,
    {
      id: userId('u'),
      organizationId: organizationId('o'),
      email: 'u@example.com',
      emails: ['u@example.com'],
      addedOn: undefined,
      lastLogin: undefined,
    },
    [],
  );
  const invite = new InviteNode(members, scope, {
    organizationId: organizationId('o'),
    email: 'i@example.com',
    createdOn: undefined,
    roles: [role],
  });
  const roles = (['user', 'apiKey', 'invite'] as const).map(
    (type) => new RoleNode(member, scope, { type, id: 'u', name: 'u' }, role, 'o'),
  );
  const apiKeys = new ApiKeysNode(organization, scope, organization.target);
  const keys = [context.connection.keyId, 'another'].map(
    (id) =>
      new ApiKeyNode(apiKeys, scope, {
        id: apiKeyId(id),
        organizationId: organizationId('o'),
        name: 'k',
        createdOn: undefined,
        roles: [role],
      }),
  );
  const nodes: readonly FleetNode[] = [
    organization,
    location,
    shared,
    foreign,
    ...machines,
    ...parts,
    group,
    fragments,
    fragment,
    datasets,
    dataset,
    ...registryNodes(organization, scope),
    members,
    member,
    invite,
    ...roles,
    apiKeys,
    ...keys,
    new HintNode(organization, 'noLocations'),
    new ErrorNode(organization, new FleetError('internal', '')),
    new ErrorNode(organization, new FleetError('unauthenticated', '', { action: 'signIn' })),
    new LoadMoreNode(location, 1, 2),
  ];
  return nodes.map(({ contextValue }) => contextValue);
}
