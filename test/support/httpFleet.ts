import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Interceptor, Transport } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { type ApiKey, toConnectionId } from '../../src/core/model/connection';
import type { Logger } from '../../src/base/logger';
import { grpcOpener } from '../../src/core/api/grpcOpener';
import { FleetSession } from '../../src/core/sessions/fleetSession';
import type { ObjectsOptions } from '../../src/service/blobs/openBlobs';
import { openFleetService } from '../../src/service/fleetService';
import { startFleetServer } from '../../src/service/server/fleetServer';
import type { HttpRequest } from '../../src/service/server/http';
import { silentLogger } from './silentLogger';

/** URL paths of captured items and of packages' archives. */
const CONTENTS = /^\/(?:binary-data|package-files)\//;

/** The real fleet service on a port, and the product's real connection to it. */
export interface HttpFleet {
  readonly url: string;
  readonly key: ApiKey;
  readonly organizationId: string;
  readonly session: FleetSession;
  /** Folder with the files of captured content and archives. */
  readonly blobsDir: string;
  /** Requests for content, in the order of arrival. */
  readonly reads: HttpRequest[];
  wire(interceptors?: Interceptor[]): Transport;
  close(): Promise<void>;
}

/**
 * @param interfere called for each request for content; returns true if it has responded to the
 *   request.
 * @param logger logger of the service.
 * @param clientLogger logger of the product's connection to the service.
 * @param storage bucket for the contents, and the certificate authorities that the product trusts.
 */
export async function openHttpFleet(
  interfere: (...call: Parameters<RequestListener>) => boolean = () => false,
  logger: Logger = silentLogger,
  clientLogger: Logger = silentLogger,
  storage: { objects?: ObjectsOptions; authorities?: readonly string[] } = {},
): Promise<HttpFleet> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
  let url = '';
  const service = await openFleetService({
    logger,
    blobsDir: folder,
    objects: storage.objects,
    publicUrl: () => url,
  });
  const owner = await service.bootstrap();
  const reads: HttpRequest[] = [];
  const server = await startFleetServer({
    host: '127.0.0.1',
    port: 0,
    logger,
    routes: service.routes,
    interceptors: service.interceptors,
    admit: service.admit,
    longWork: service.longWork,
    httpRoutes: [
      (request, response) => {
        if (!CONTENTS.test(request.url ?? '')) return false;
        reads.push(request);
        return interfere(...([request, response] as unknown as Parameters<RequestListener>));
      },
      ...service.httpRoutes,
    ],
  });
  ({ url } = server);
  const key = { id: owner.apiKeyId, secret: owner.apiKey };
  const connection = {
    id: toConnectionId(key.id),
    label: 'Test',
    baseUrl: url,
    keyId: key.id,
    kind: 'cloud',
  } as const;
  const open = grpcOpener(clientLogger, () => storage.authorities ?? []);
  const session = new FleetSession(connection, open, () => Promise.resolve(key));
  const sessionManager = new Http2SessionManager(url);
  return {
    url,
    key,
    session,
    reads,
    blobsDir: folder,
    organizationId: owner.organizationId,
    wire: (interceptors = []) =>
      createGrpcTransport({ baseUrl: url, sessionManager, interceptors }),
    close: async () => {
      session.dispose();
      sessionManager.abort();
      await server.close();
      await service.close();
      await rm(folder, { recursive: true });
    },
  };
}
