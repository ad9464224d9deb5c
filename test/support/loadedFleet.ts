import { createClient, createRouterTransport, type Interceptor } from '@connectrpc/connect';
import type { Clock } from '../../src/base/clock';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { type Fragment, FragmentVisibility } from '../../src/gen/viam/app/v1/fragment_pb';
import type { Location } from '../../src/gen/viam/app/v1/location_pb';
import type { Robot, RobotPart, RobotPartHistoryEntry } from '../../src/gen/viam/app/v1/machine_pb';
import type { Organization } from '../../src/gen/viam/app/v1/organization_pb';
import type { RegistryItem } from '../../src/gen/viam/app/v1/registry_pb';
import type { OwnerCredentials } from '../../src/service/auth/bootstrap';
import type { AppClient, OpenTransport } from '../../src/service/demo/demoClient';
import {
  type FleetService,
  type FleetServiceOptions,
  openFleetService,
} from '../../src/service/fleetService';
import { silentLogger } from './silentLogger';

export interface OpenFleet {
  service: FleetService;
  owner: OwnerCredentials;
  open: OpenTransport;
  app: AppClient;
}

/** Opens a service on a data directory, a database, or in memory, and signs in as its owner. */
export async function openFleet(options: {
  clock: Clock;
  demo: boolean;
  demoIsAlive?: boolean;
  dataDir?: string;
  databaseUrl?: string;
  credentials?: OwnerCredentials;
  queryProgram?: string;
  trainers?: NonNullable<FleetServiceOptions['trainers']>;
}): Promise<OpenFleet> {
  const { credentials: credentials, ...rest } = options;
  const service = await openFleetService({ ...rest, logger: silentLogger });
  const owner = await service.bootstrap(credentials);
  const open: OpenTransport = (interceptors) =>
    createRouterTransport((router) => service.routes(router), {
      router: { interceptors: service.interceptors },
      transport: { interceptors },
    });
  const { accessToken } = await createClient(AuthService, open([])).authenticate({
    entity: owner.apiKeyId,
    credentials: { type: 'api-key', payload: owner.apiKey },
  });
  const bearer: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${accessToken}`);
    return next(request);
  };
  return { service, owner, open, app: createClient(AppService, open([bearer])) };
}

/** Everything that an owner can read in a fleet. */
export interface FleetContent {
  organizations: Organization[];
  fragments: Fragment[];
  locations: Location[];
  machines: Robot[];
  parts: RobotPart[];
  history: RobotPartHistoryEntry[];
  keyNames: string[];
  memberEmails: string[];
  invitedEmails: string[];
  registryItems: RegistryItem[];
}

export async function readFleet(app: AppClient): Promise<FleetContent> {
  const { organizations } = await app.listOrganizations({});
  const content: FleetContent = {
    organizations,
    fragments: [],
    locations: [],
    machines: [],
    parts: [],
    history: [],
    keyNames: [],
    memberEmails: [],
    invitedEmails: [],
    registryItems: [],
  };
  for (const { id: organizationId } of organizations) {
    const { fragments } = await app.listFragments({
      organizationId,
      fragmentVisibility: [
        FragmentVisibility.PRIVATE,
        FragmentVisibility.PUBLIC,
        FragmentVisibility.PUBLIC_UNLISTED,
      ],
    });
    content.fragments.push(
      ...fragments.filter((fragment) => fragment.organizationOwner === organizationId),
    );
    const { locations } = await app.listLocations({ organizationId });
    content.locations.push(
      ...locations.filter((location) => location.primaryOrgIdentity?.id === organizationId),
    );
    const { members, invites } = await app.listOrganizationMembers({ organizationId });
    content.memberEmails.push(...members.flatMap(({ emails }) => emails));
    content.invitedEmails.push(...invites.map(({ email }) => email));
    const { items } = await app.listRegistryItems({ organizationId });
    content.registryItems.push(...items);
    const { apiKeys } = await app.listKeys({ orgId: organizationId });
    content.keyNames.push(...apiKeys.map(({ apiKey }) => apiKey?.name ?? ''));
  }
  for (const { id } of content.locations) {
    content.machines.push(...(await app.listRobots({ locationId: id })).robots);
  }
  for (const { id } of content.machines) {
    content.parts.push(...(await app.getRobotParts({ robotId: id })).parts);
  }
  for (const { id } of content.parts) {
    content.history.push(...(await app.getRobotPartHistory({ id })).history);
  }
  return content;
}
