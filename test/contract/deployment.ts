import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Client,
  createClient,
  createRouterTransport,
  type Interceptor,
  type Transport,
} from '@connectrpc/connect';
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from '@connectrpc/connect-node';
import type { Clock } from '../../src/base/clock';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import type { RobotPart } from '../../src/gen/viam/app/v1/machine_pb';
import { RobotService } from '../../src/gen/viam/app/v1/robot_pb';
import type { OwnerCredentials } from '../../src/service/auth/bootstrap';
import { isAccountPage } from '../../src/service/accounts/accounts';
import {
  type FleetService,
  type FleetServiceOptions,
  openFleetService,
} from '../../src/service/fleetService';
import type { DatabaseListening } from '../../src/service/mongo/databaseEndpoint';
import { type ObjectsLocation, parseObjectsUrl } from '../../src/service/objects/objectBucket';
import { openObjectBucket } from '../../src/service/objects/openObjectBucket';
import { memorySecretsKey } from '../../src/service/secrets/secretsKeySource';
import { type FleetServerOptions, startFleetServer } from '../../src/service/server/fleetServer';
import { bundledProgram } from '../support/bundledProgram';
import { balanceConnections, type ForwardedRequest, LoadBalancer } from '../support/loadBalancer';
import { objectStoreForTests } from '../support/objectStore';
import { postgresForTests } from '../support/postgres';
import { RecordingMailer } from '../support/recordingMailer';
import { silentLogger } from '../support/silentLogger';
import { StagedTrainer } from '../support/stagedTrainer';

export type AppClient = Client<typeof AppService>;
export type AuthClient = Client<typeof AuthService>;

/** All services that share a database use the same key. */
const sharedSecretsKey = memorySecretsKey();

/** A running fleet service, as a client sees it. */
export interface Deployment {
  owner: OwnerCredentials;
  /** URL of the deployment's pages for browsers. */
  url: string;
  /** Messages sent to users. Their links open pages of this deployment. */
  mailer: RecordingMailer;
  transport(interceptors: Interceptor[]): Transport;
  stop(): Promise<void>;
}

/** A deployment whose services are in this process. */
export interface LocalDeployment extends Deployment {
  /** Moves old readings to files, which the service otherwise does every hour. */
  moveOldReadings(): Promise<void>;
}

/**
 * Starts the service in this process, without a network. This is the fastest way to test the
 * service's rules.
 */
export async function startRouterDeployment(
  clock: Clock,
  databaseUrl?: string,
  options: Partial<FleetServiceOptions> = {},
): Promise<LocalDeployment> {
  const { service, server, mailer } = await startService(clock, { databaseUrl, ...options });
  return {
    moveOldReadings: () => service.moveOldReadings(),
    owner: await service.bootstrap(),
    url: server.url,
    mailer,
    transport: (interceptors) =>
      createRouterTransport(service.routes, {
        router: { interceptors: service.interceptors },
        transport: { interceptors },
      }),
    stop: async () => {
      await server.close();
      await service.close();
    },
  };
}

/** Starts the service with a port on the loopback interface, where it serves pages to browsers. */
async function startService(
  clock: Clock,
  options: Partial<FleetServiceOptions> = {},
  serverOptions: Partial<FleetServerOptions> = {},
  databaseAddress: DatabaseListening = { host: '127.0.0.1', port: 0 },
) {
  const mailer = new RecordingMailer();
  let url = '';
  const publicUrl = (): string => url;
  const service = await openFleetService({
    logger: silentLogger,
    clock,
    mailer,
    publicUrl,
    queryProgram: await bundledProgram('queryProcess'),
    trainers: { managed: new StagedTrainer(), custom: new StagedTrainer() },
    trainingLimits: { jobs: 1000, beatMs: 50 },
    secretsKey: sharedSecretsKey,
    tailCheckMs: 200,
    ...options,
  });
  const server = await startFleetServer({
    host: '127.0.0.1',
    port: 0,
    routes: service.routes,
    interceptors: service.interceptors,
    admit: service.admit,
    longWork: service.longWork,
    httpRoutes: service.httpRoutes,
    ownPages: { isPage: isAccountPage },
    logger: silentLogger,
    ...serverOptions,
  });
  ({ url } = server);
  await service.databaseEndpoint.listen(databaseAddress);
  return { service, server, mailer };
}

/** Starts a service on a new PostgreSQL database, which is deleted when the service is closed. */
export async function onPostgres<T extends Deployment>(
  start: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  const postgres = await postgresForTests();
  const deployment = await start(await postgres.url());
  return {
    ...deployment,
    stop: async () => {
      await deployment.stop();
      await postgres.stop();
    },
  };
}

/** The protocols that the port supports. */
export type Protocol = 'gRPC' | 'gRPC-web' | 'Connect';

/** Starts the service behind its real port on the loopback interface. */
export async function startHttpDeployment(
  clock: Clock,
  protocol: Protocol,
  options: Partial<FleetServiceOptions> = {},
  serverOptions: Partial<FleetServerOptions> = {},
): Promise<Deployment> {
  const { service, server, mailer } = await startService(clock, options, serverOptions);
  const sessions = new Http2SessionManager(server.url);
  return {
    owner: await service.bootstrap(),
    url: server.url,
    mailer,
    transport: (interceptors) => httpTransport(protocol, server.url, interceptors, sessions),
    stop: async () => {
      // Without this, the server would wait several seconds for calls that a test left open.
      sessions.abort();
      await server.close();
      await service.close();
    },
  };
}

/** Two nodes behind a load balancer. */
export interface NodesDeployment extends LocalDeployment {
  /** Requests that the load balancer has sent to the nodes. */
  forwarded: readonly ForwardedRequest[];
}

/** Addresses of the nodes' database endpoints, which all listen on the same port. */
const NODE_HOSTS = ['127.0.0.2', '127.0.0.3'];

/**
 * Starts two nodes that share a database and a bucket behind a load balancer, which sends each
 * request to the next node.
 * @param clock must advance whenever it is read, like `PassingClock`. Nodes that read the same time couldn't
 *   create resources in the order of the calls.
 */
export async function startNodes(
  clock: Clock,
  protocol: Protocol,
  databaseUrl: string,
  options: Partial<FleetServiceOptions> = {},
): Promise<NodesDeployment> {
  const bucketUrl = await (await objectStoreForTests()).createBucket();
  const mailer = new RecordingMailer();
  const balancer = await LoadBalancer.start();
  const stack = new AsyncDisposableStack();
  stack.use(balancer);
  const trainers = { managed: new StagedTrainer(), custom: new StagedTrainer() };
  const owners: OwnerCredentials[] = [];
  const services: FleetService[] = [];
  const publicHost = '127.0.0.1';
  let port = 0;
  for (const host of NODE_HOSTS) {
    const folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    stack.defer(() => rm(folder, { recursive: true }));
    const bucket = await openObjectBucket(parseObjectsUrl(bucketUrl) as ObjectsLocation);
    const { service, server } = await startService(
      clock,
      {
        databaseUrl,
        mailer,
        trainers,
        publicUrl: () => balancer.url,
        objects: { bucket, cacheDirectory: join(folder, 'cache'), cacheBytes: 1024 ** 3 },
        ...options,
      },
      {},
      { host, port, publicHost },
    );
    stack.defer(() => service.close());
    stack.defer(() => server.close());
    services.push(service);
    balancer.addNode(server.url);
    port = Number(service.databaseEndpoint.address?.host.split(':').at(-1));
    owners.push(await service.bootstrap(owners[0]));
  }
  stack.use(await balanceConnections({ host: publicHost, port }, NODE_HOSTS));
  const sessions = new Http2SessionManager(balancer.url);
  stack.defer(() => sessions.abort());
  const [owner] = owners;
  if (owner === undefined) throw new Error('no node has started');
  return {
    owner,
    url: balancer.url,
    mailer,
    forwarded: balancer.forwarded,
    transport: (interceptors) => httpTransport(protocol, balancer.url, interceptors, sessions),
    moveOldReadings: async () => {
      await services[0]?.moveOldReadings();
    },
    stop: () => stack.disposeAsync(),
  };
}

function httpTransport(
  protocol: Protocol,
  baseUrl: string,
  interceptors: Interceptor[],
  sessionManager: Http2SessionManager,
): Transport {
  switch (protocol) {
    case 'gRPC':
      return createGrpcTransport({ baseUrl, interceptors, sessionManager });
    case 'gRPC-web':
      return createGrpcWebTransport({ baseUrl, interceptors, httpVersion: '1.1' });
    case 'Connect':
      return createConnectTransport({ baseUrl, interceptors, httpVersion: '1.1' });
  }
}

/** Returns a client for signing in, which doesn't send a token. */
export function authClient(deployment: Deployment): AuthClient {
  return createClient(AuthService, deployment.transport([]));
}

/** Returns a transport that sends the bearer token, if any. */
export function bearerTransport(deployment: Deployment, token?: string): Transport {
  const bearer: Interceptor = (next) => (request) => {
    if (token !== undefined) request.header.set('authorization', `Bearer ${token}`);
    return next(request);
  };
  return deployment.transport([bearer]);
}

/** Returns a fleet client that sends the bearer token, if any. */
export function appClient(deployment: Deployment, token?: string): AppClient {
  return createClient(AppService, bearerTransport(deployment, token));
}

/** Signs in with an API key; returns the access token. */
export async function signInToken(
  deployment: Deployment,
  key: { id: string; key: string },
): Promise<string> {
  const { accessToken } = await authClient(deployment).authenticate({
    entity: key.id,
    credentials: { type: 'api-key', payload: key.key },
  });
  return accessToken;
}

/** Signs in with the secret of a part, as its machine does, and returns the access token. */
export async function signInAsPart(
  deployment: Deployment,
  { id, secrets }: Pick<RobotPart, 'id' | 'secrets'>,
): Promise<string> {
  const { accessToken } = await authClient(deployment).authenticate({
    entity: id,
    credentials: { type: 'robot-secret', payload: secrets[0]?.secret ?? '' },
  });
  return accessToken;
}

/** Returns the client of a part's machine, which has signed in. */
export async function connectPart(
  deployment: Deployment,
  part: Pick<RobotPart, 'id' | 'secrets'>,
): Promise<Client<typeof RobotService>> {
  const token = await signInAsPart(deployment, part);
  return createClient(RobotService, bearerTransport(deployment, token));
}

/** Signs in with an API key; returns a fleet client. */
export async function signIn(
  deployment: Deployment,
  key: { id: string; key: string },
): Promise<AppClient> {
  return appClient(deployment, await signInToken(deployment, key));
}

/** Signs in with the key that the service created at its first start. */
export async function signInAsOwner(deployment: Deployment): Promise<AppClient> {
  const { apiKeyId, apiKey } = deployment.owner;
  return signIn(deployment, { id: apiKeyId, key: apiKey });
}
