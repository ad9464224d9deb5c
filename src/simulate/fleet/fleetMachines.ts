import {
  type CallOptions,
  type Client,
  createClient,
  type Interceptor,
  type Transport,
} from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import { SharedSecret_State } from '../../gen/viam/app/v1/location_pb';
import { OnlineState, type Robot, type RobotPart } from '../../gen/viam/app/v1/machine_pb';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb';

/** A machine's main part and its credentials. */
export interface MachinePart {
  id: string;
  name: string;
  secret: string;
}

const LOCATION = 'Demo data';
const NEW_MACHINES = 4;

/**
 * Returns an organization's machines, up to a maximum number, starting with online machines. If
 * there are no machines, creates some in a separate location.
 * @throws Error if the key doesn't have permission to read the machines' secrets.
 */
export async function fleetMachines(
  app: Client<typeof AppService>,
  organizationId: string,
  max: number,
  options: CallOptions,
): Promise<MachinePart[]> {
  const { locations } = await app.listLocations({ organizationId }, options);
  const robots: Robot[] = [];
  for (const { id, primaryOrgIdentity } of locations) {
    if (primaryOrgIdentity?.id === organizationId) {
      robots.push(...(await app.listRobots({ locationId: id }, options)).robots);
    }
  }
  const robotIds =
    robots.length === 0
      ? await makeMachines(app, organizationId, Math.min(max, NEW_MACHINES), options)
      : robots
          .sort((one, other) => rank(one) - rank(other) || compare(one.name, other.name))
          .slice(0, max)
          .map(({ id }) => id);
  const machines: MachinePart[] = [];
  for (const robotId of robotIds) {
    machines.push(await mainPart(app, robotId, options));
  }
  return machines;
}

async function makeMachines(
  app: Client<typeof AppService>,
  organizationId: string,
  count: number,
  options: CallOptions,
): Promise<string[]> {
  const { location } = await app.createLocation({ organizationId, name: LOCATION }, options);
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const machine = { name: `demo-machine-${String(number)}`, location: location?.id ?? '' };
    ids.push((await app.newRobot(machine, options)).id);
  }
  return ids;
}

async function mainPart(
  app: Client<typeof AppService>,
  robotId: string,
  options: CallOptions,
): Promise<MachinePart> {
  const { parts } = await app.getRobotParts({ robotId }, options);
  const part = parts.find(({ mainPart }) => mainPart);
  const secret = part && enabledSecret(part);
  if (part === undefined || secret === undefined) {
    throw new Error(
      "the key doesn't have permission to read the secrets that machines sign in with: use one of an owner of the organization",
    );
  }
  return { id: part.id, name: part.name, secret };
}

/**
 * Returns a part's secret; undefined if there is none or the caller doesn't have permission to read
 * it.
 */
export function enabledSecret({ secrets }: RobotPart): string | undefined {
  return secrets.find(({ state }) => state === SharedSecret_State.ENABLED)?.secret || undefined;
}

function rank({ onlineState }: Robot): number {
  return onlineState === OnlineState.ONLINE ? 0 : 1;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Opens a transport to a fleet service. */
export type OpenTransport = (interceptors: Interceptor[]) => Transport;

/** An API key and its ID, or a part and its secret. */
export interface Credentials {
  type: 'api-key' | 'robot-secret';
  entity: string;
  payload: string;
}

/**
 * Signs in like any other client. Returns a transport that is authenticated with the credentials.
 * @throws ConnectError if the service rejects the credentials.
 */
export async function signedInTransport(
  open: OpenTransport,
  { type, entity, payload }: Credentials,
): Promise<Transport> {
  const { accessToken } = await createClient(AuthService, open([])).authenticate({
    entity,
    credentials: { type, payload },
  });
  return open([
    (next) => (request) => {
      request.header.set('authorization', `Bearer ${accessToken}`);
      return next(request);
    },
  ]);
}
