import { createGrpcTransport, type GrpcTransportOptions } from '@connectrpc/connect-node';
import { createViamClient, type Credential, type ViamClient } from '@viamrobotics/sdk';

/** JSON as the client's requests carry it. */
export { Struct } from '@viamrobotics/sdk';

/** Messages of the operations on captured data. */
export { dataApi } from '@viamrobotics/sdk';

/** Messages of the operations on training jobs. */
export { mlTrainingApi } from '@viamrobotics/sdk';

/** Messages of the fleet operations. */
export { appApi } from '@viamrobotics/sdk';

/** What the service writes into its credentials file, as far as a client needs it. */
export interface PublicClientCredentials {
  /** Where the service listens, such as `http://127.0.0.1:4711`. */
  url: string;
  apiKeyId: string;
  apiKey: string;
}

/** gRPC-web over HTTP/1.1 is what the client speaks by itself; it cannot stream uploads. */
export type PublicClientProtocol = 'grpc-web' | 'grpc';

type ClientTransportOptions = Pick<GrpcTransportOptions, 'baseUrl' | 'interceptors'>;

interface TransportHook {
  VIAM?: { GRPC_TRANSPORT_FACTORY: (options: ClientTransportOptions) => unknown };
}

/**
 * Signs the public TypeScript client in to a service and returns it. It knows nothing of this
 * repository: what it reads and writes shows that the service speaks the public wire.
 *
 * @throws ConnectError of connect 1.x as the client throws it, Unauthenticated for a wrong key
 */
export async function connectPublicClient(
  { url, apiKeyId, apiKey }: PublicClientCredentials,
  protocol: PublicClientProtocol = 'grpc-web',
): Promise<ViamClient> {
  return connect(url, { type: 'api-key', authEntity: apiKeyId, payload: apiKey }, protocol);
}

/** The same as a machine, with the secret of a part. */
export async function connectPublicMachine(
  { url, partId, secret }: { url: string; partId: string; secret: string },
  protocol: PublicClientProtocol,
): Promise<ViamClient> {
  return connect(url, { type: 'robot-secret', authEntity: partId, payload: secret }, protocol);
}

async function connect(
  serviceHost: string,
  credentials: Credential,
  protocol: PublicClientProtocol,
): Promise<ViamClient> {
  const hook = globalThis as TransportHook;
  if (protocol === 'grpc') {
    hook.VIAM = {
      GRPC_TRANSPORT_FACTORY: (options) => createGrpcTransport({ ...options, httpVersion: '2' }),
    };
  }
  try {
    return await createViamClient({ serviceHost, credentials });
  } finally {
    delete hook.VIAM;
  }
}
