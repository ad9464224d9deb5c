import { type Client, createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb';
import { AppService } from '../../gen/viam/app/v1/app_pb';

export type AppClient = Client<typeof AppService>;

/** Opens the service's own routes in this process, behind all that stands before them. */
export type OpenTransport = (interceptors: Interceptor[]) => Transport;

/** Signs in with an API key, as any client does. */
export async function signIn(
  open: OpenTransport,
  key: { id: string; key: string },
): Promise<AppClient> {
  const { accessToken } = await createClient(AuthService, open([])).authenticate({
    entity: key.id,
    credentials: { type: 'api-key', payload: key.key },
  });
  const bearer: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${accessToken}`);
    return next(request);
  };
  return createClient(AppService, open([bearer]));
}
