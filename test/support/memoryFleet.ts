import {
  Code,
  ConnectError,
  createRouterTransport,
  type Interceptor,
  type Transport,
} from '@connectrpc/connect';
import type { ApiKey, Connection, ReadApiKey } from '../../src/core/model/connection';
import type { OpenedTransport } from '../../src/core/api/connectionTransport';
import { createInterceptedTransport } from '../../src/core/api/interceptedTransport';
import { type FleetServiceOptions, openFleetService } from '../../src/service/fleetService';
import { silentLogger } from './silentLogger';
import { TestClock } from './testClock';

/** The real fleet service in memory, with a count of calls per RPC. */
export interface MemoryFleet {
  readonly key: ApiKey;
  readonly organizationId: string;
  readonly clock: TestClock;
  readonly baseUrl: string;
  /** Number of calls by method name since the last `calls.clear()`, including `Authenticate`. */
  readonly calls: Map<string, number>;
  /**
   * Names to replace in responses, for tests with names that this service rejects but that another
   * service could have.
   */
  readonly otherNames: Map<string, string>;
  /** Names of methods to reject with `Unimplemented`, for tests with a service without them. */
  readonly unsupported: Set<string>;
  /** Returns the raw transport, without the layers that the product adds. */
  wire(interceptors?: Interceptor[]): Transport;
  /** The product's transport over the raw transport, as sessions open it. */
  readonly open: (connection: Connection, readKey: ReadApiKey) => OpenedTransport;
  close(): Promise<void>;
}

/**
 * @param queryProgram `bundledProgram('queryProcess')`; if absent, queries fail
 * @param trainers the trainers; if absent, training jobs are rejected
 */
export async function openMemoryFleet(
  queryProgram?: string,
  trainers?: FleetServiceOptions['trainers'],
): Promise<MemoryFleet> {
  const clock = new TestClock();
  const service = await openFleetService({
    logger: silentLogger,
    clock,
    queryProgram,
    ...(trainers && { trainers }),
  });
  const owner = await service.bootstrap();
  const key = { id: owner.apiKeyId, secret: owner.apiKey };
  const calls = new Map<string, number>();
  const count: Interceptor = (next) => (request) => {
    calls.set(request.method.name, (calls.get(request.method.name) ?? 0) + 1);
    return next(request);
  };
  const unsupported = new Set<string>();
  const reject: Interceptor = (next) => (request) => {
    const { name } = request.method;
    if (!unsupported.has(name)) return next(request);
    throw new ConnectError(`${name} is not implemented`, Code.Unimplemented);
  };
  const otherNames = new Map<string, string>();
  const rename: Interceptor = (next) => async (request) => {
    const response = await next(request);
    if (!response.stream) replaceNames(response.message, otherNames);
    return response;
  };
  const wire = (interceptors: Interceptor[] = []): Transport =>
    createRouterTransport((router) => service.routes(router), {
      transport: { interceptors: [...interceptors, count, reject, rename] },
      router: { interceptors: service.interceptors },
    });
  const baseUrl = 'http://127.0.0.1:1';
  const open: MemoryFleet['open'] = (connection, readKey) => {
    const transport = createInterceptedTransport({
      baseUrl: connection.baseUrl,
      openWire: wire,
      readKey,
      logger: silentLogger,
      clock,
      sleep: () => Promise.resolve(),
      random: () => 0.5,
    });
    return { ...transport, dispose: () => undefined };
  };
  return {
    key,
    organizationId: owner.organizationId,
    clock,
    baseUrl,
    calls,
    otherNames,
    unsupported,
    wire,
    open,
    close: () => service.close(),
  };
}

function replaceNames(value: unknown, names: ReadonlyMap<string, string>): void {
  if (names.size === 0 || typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const other = key === 'name' && typeof member === 'string' ? names.get(member) : undefined;
    if (other === undefined) replaceNames(member, names);
    else (value as { name: string }).name = other;
  }
}
