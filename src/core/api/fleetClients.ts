import { type Client, createClient, type Transport } from '@connectrpc/connect';
import { AppService } from '../../gen/viam/app/v1/app_pb';

/** The typed clients of one connection. */
export interface FleetClients {
  readonly app: Client<typeof AppService>;
}

/** Clients over a transport of `createFleetTransport`, or over a router transport in tests. */
export function createFleetClients(transport: Transport): FleetClients {
  return { app: createClient(AppService, transport) };
}
