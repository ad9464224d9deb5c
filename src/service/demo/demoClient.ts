import { type Client, createClient, type Transport } from '@connectrpc/connect';
import type { DataService } from '../../gen/viam/app/data/v1/data_pb';
import type { DatasetService } from '../../gen/viam/app/dataset/v1/dataset_pb';
import type { PackageService } from '../../gen/viam/app/packages/v1/packages_pb';
import { AppService } from '../../gen/viam/app/v1/app_pb';
import { type OpenTransport, signedInTransport } from '../../simulate/fleet/fleetMachines';

export type AppClient = Client<typeof AppService>;
export type DataClient = Client<typeof DataService>;
export type DatasetClient = Client<typeof DatasetService>;
export type PackageClient = Client<typeof PackageService>;

/** Opens the service's own routes in this process, including all interceptors. */
export type { OpenTransport };

/** Signs in with an API key, like any other client. */
export async function signIn(
  open: OpenTransport,
  key: { id: string; key: string },
): Promise<AppClient> {
  return createClient(AppService, await signInTransport(open, key));
}

/** Like `signIn`, but returns a transport for any operation. */
export function signInTransport(
  open: OpenTransport,
  { id, key }: { id: string; key: string },
): Promise<Transport> {
  return signedInTransport(open, { type: 'api-key', entity: id, payload: key });
}
