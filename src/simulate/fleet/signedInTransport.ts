import { createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb';

/** Opens a transport to a fleet service. */
export type OpenTransport = (interceptors: Interceptor[]) => Transport;

/** An API key and its ID, or a part and its secret. */
export interface Credentials {
  type: 'api-key' | 'robot-secret';
  entity: string;
  payload: string;
}

/**
 * Signs in like any other client, and returns a transport that is authenticated with the
 * credentials.
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
