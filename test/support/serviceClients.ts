import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { DescService } from '@bufbuild/protobuf';
import { type Client, createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';

export interface ServiceKey {
  url: string;
  apiKeyId: string;
  apiKey: string;
}

/** Signs in over gRPC and returns the access token. */
export async function signIn({ url, apiKeyId, apiKey }: ServiceKey): Promise<string> {
  const sessionManager = new Http2SessionManager(url);
  try {
    const client = createClient(AuthService, createGrpcTransport({ baseUrl: url, sessionManager }));
    const { accessToken } = await client.authenticate({
      entity: apiKeyId,
      credentials: { type: 'api-key', payload: apiKey },
    });
    return accessToken;
  } finally {
    sessionManager.abort();
  }
}

/** Calls the service over gRPC with a key. */
export function withApp<T>(
  key: ServiceKey,
  work: (app: Client<typeof AppService>) => Promise<T>,
): Promise<T> {
  return withService(key, AppService, work);
}

/** Calls one gRPC service with a key. */
export async function withService<Service extends DescService, T>(
  key: ServiceKey,
  service: Service,
  work: (client: Client<Service>) => Promise<T>,
): Promise<T> {
  const token = await signIn(key);
  const bearer: Interceptor = (next) => (call) => {
    call.header.set('authorization', `Bearer ${token}`);
    return next(call);
  };
  const sessionManager = new Http2SessionManager(key.url);
  const options = { baseUrl: key.url, sessionManager, interceptors: [bearer] };
  try {
    return await work(createClient(service, createGrpcTransport(options)));
  } finally {
    sessionManager.abort();
  }
}

/** An active lease. */
export interface AcquiredLease {
  release(): void;
  /** Resolves when the service ends the lease. */
  ended: Promise<unknown>;
}

/** Acquires a lease of the service; throws if the service rejects the lease. */
export async function acquireLease(key: ServiceKey): Promise<AcquiredLease> {
  const headers = { authorization: `Bearer ${await signIn(key)}` };
  const outgoing = request(`${key.url}/.fleetwright/lease`, { headers, agent: false }).end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  if (incoming.statusCode !== 200) throw new Error(`no lease: ${incoming.statusCode ?? ''}`);
  const ended = once(incoming.resume(), 'close');
  return {
    release: () => {
      outgoing.destroy();
    },
    ended: ended.catch(() => undefined),
  };
}
