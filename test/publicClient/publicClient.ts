import { createGrpcTransport, type GrpcTransportOptions } from '@connectrpc/connect-node';
import { createViamClient, type Credential, type ViamClient } from '@viamrobotics/sdk';

/** JSON message type that the client uses in requests. */
export { Struct } from '@viamrobotics/sdk';

/** Messages for captured data. */
export { dataApi } from '@viamrobotics/sdk';

/** Messages for training jobs. */
export { mlTrainingApi } from '@viamrobotics/sdk';

/** Messages for the fleet. */
export { appApi } from '@viamrobotics/sdk';

/** The fields of the service's credentials file that a client needs. */
export interface PublicClientCredentials {
  /** URL of the service, such as `http://127.0.0.1:4711`. */
  url: string;
  apiKeyId: string;
  apiKey: string;
}

/** Protocols of the client. Its default is gRPC-web over HTTP/1.1, which can't stream uploads. */
export type PublicClientProtocol = 'grpc-web' | 'grpc';

type ClientTransportOptions = Pick<GrpcTransportOptions, 'baseUrl' | 'interceptors'>;

interface TransportHook {
  VIAM?: { GRPC_TRANSPORT_FACTORY: (options: ClientTransportOptions) => unknown };
}

/**
 * Signs the public TypeScript client in to a service and returns the client. The client is
 * independent of this repository, so its reads and writes prove that the service implements the
 * public wire protocol.
 *
 * @throws ConnectError of connect 1.x, as the client throws it; its code is Unauthenticated for a
 *   wrong key
 */
export async function connectPublicClient(
  { url, apiKeyId, apiKey }: PublicClientCredentials,
  protocol: PublicClientProtocol = 'grpc-web',
): Promise<ViamClient> {
  return connect(url, { type: 'api-key', authEntity: apiKeyId, payload: apiKey }, protocol);
}

/** Signs in as a machine, with the secret of a part. */
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
