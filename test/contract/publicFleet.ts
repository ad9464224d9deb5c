import type { OwnerCredentials } from '../../src/service/auth/bootstrap';
import {
  type FleetService,
  type FleetServiceOptions,
  openFleetService,
} from '../../src/service/fleetService';
import { startFleetServer } from '../../src/service/server/fleetServer';
import { connectPublicClient, type PublicClientProtocol } from '../publicClient/publicClient';
import { silentLogger } from '../support/silentLogger';

export type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

type Part = Awaited<ReturnType<PublicClient['appClient']['getRobotParts']>>[number];

/** Protocols with which the public client is tested. */
export const PUBLIC_PROTOCOLS: readonly PublicClientProtocol[] = ['grpc-web', 'grpc'];

/** The real fleet service on a port, and the public client signed in as its owner. */
export interface PublicFleet {
  readonly url: string;
  readonly owner: OwnerCredentials;
  readonly client: PublicClient;
  readonly service: FleetService;
  close(): Promise<void>;
}

/** Starts an in-memory fleet; the caller must close it. */
export async function openPublicFleet(
  protocol: PublicClientProtocol,
  options: Partial<FleetServiceOptions> = {},
): Promise<PublicFleet> {
  let url = '';
  const publicUrl = (): string => url;
  const service = await openFleetService({ logger: silentLogger, publicUrl, ...options });
  const owner = await service.bootstrap();
  const { routes, interceptors, admit, httpRoutes } = service;
  const server = await startFleetServer({
    host: '127.0.0.1',
    port: 0,
    logger: silentLogger,
    routes,
    interceptors,
    admit,
    httpRoutes,
  });
  ({ url } = server);
  return {
    url,
    owner,
    service,
    client: await connectPublicClient({ url, ...owner }, protocol),
    close: async () => {
      await server.close();
      await service.close();
    },
  };
}

/** Creates a machine, with its part, in a new location. */
export async function newRover({ client, owner }: PublicFleet): Promise<{
  readonly robotId: string;
  readonly part: Part;
}> {
  const { appClient } = client;
  const location = await appClient.createLocation(owner.organizationId, 'Hall');
  const robotId = await appClient.newRobot(location?.id ?? '', 'rover');
  const [part] = await appClient.getRobotParts(robotId);
  if (!part) throw new Error('The new machine has no part.');
  return { robotId, part };
}
