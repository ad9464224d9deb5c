import type { Client, Transport } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';

/** The typed clients of one connection. */
export interface FleetClients {
  readonly app: Client<typeof AppService>;
}

/** Makes the clients at their first use: the contract takes longer to load than all our own code. */
export type LoadClients = () => Promise<FleetClients>;

/** Clients over a transport of `createFleetTransport`, or over a router transport in tests. */
export function clientsOver(transport: Transport): LoadClients {
  let loaded: Promise<FleetClients> | undefined;
  return () => (loaded ??= load(transport));
}

async function load(transport: Transport): Promise<FleetClients> {
  const [{ createClient }, contract] = await Promise.all([
    import('@connectrpc/connect'),
    import('../../gen/viam/app/v1/app_pb'),
  ]);
  return { app: createClient(contract.AppService, transport) };
}
