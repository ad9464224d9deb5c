import {
  type Client,
  createClient,
  createRouterTransport,
  type Interceptor,
  type Transport,
} from '@connectrpc/connect';
import type { Clock } from '../../src/base/clock';
import type { Logger } from '../../src/base/logger';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import type { OwnerCredentials } from '../../src/service/auth/bootstrap';
import { openFleetService } from '../../src/service/fleetService';

export type AppClient = Client<typeof AppService>;
export type AuthClient = Client<typeof AuthService>;

/** A fleet service that runs, as a client sees it. */
export interface Deployment {
  owner: OwnerCredentials;
  transport(interceptors: Interceptor[]): Transport;
  stop(): Promise<void>;
}

/** One way to run the service: a transport and a store. */
export interface DeploymentKind {
  name: string;
  start(clock: Clock): Promise<Deployment>;
}

const silent = (): void => undefined;

/** A logger for tests whose log nobody reads. */
export const silentLogger: Logger = {
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
};

/** The service in this process, without a network: the fastest way to its rules. */
export async function startRouterDeployment(
  clock: Clock,
  databaseUrl?: string,
): Promise<Deployment> {
  const service = await openFleetService({ logger: silentLogger, clock, databaseUrl });
  return {
    owner: await service.bootstrap(),
    transport: (interceptors) =>
      createRouterTransport(service.routes, {
        router: { interceptors: service.interceptors },
        transport: { interceptors },
      }),
    stop: () => service.close(),
  };
}

/** The RPCs that sign in, called without a token. */
export function authClient(deployment: Deployment): AuthClient {
  return createClient(AuthService, deployment.transport([]));
}

/** The fleet operations with a bearer token, or without one. */
export function appClient(deployment: Deployment, token?: string): AppClient {
  const bearer: Interceptor = (next) => (request) => {
    if (token !== undefined) {
      request.header.set('authorization', `Bearer ${token}`);
    }
    return next(request);
  };
  return createClient(AppService, deployment.transport([bearer]));
}

/** Signs in with an API key and answers the fleet operations for it. */
export async function signIn(
  deployment: Deployment,
  key: { id: string; key: string },
): Promise<AppClient> {
  const { accessToken } = await authClient(deployment).authenticate({
    entity: key.id,
    credentials: { type: 'api-key', payload: key.key },
  });
  return appClient(deployment, accessToken);
}

/** Signs in with the key that the service made at its first boot. */
export async function signInAsOwner(deployment: Deployment): Promise<AppClient> {
  const { apiKeyId, apiKey } = deployment.owner;
  return signIn(deployment, { id: apiKeyId, key: apiKey });
}
