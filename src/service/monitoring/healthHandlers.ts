import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import {
  type Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
  type HealthCheckResponseSchema,
} from '../../gen/grpc/health/v1/health_pb';
import { QueryService } from '../../gen/fleetwright/query/v1/query_pb';
import { callerAddressKey } from '../auth/principal';
import type { StreamLimit } from './streamLimit';
import type { HealthReport, ServiceHealth } from './serviceHealth';

export interface HealthHandlerDependencies {
  readonly health: ServiceHealth;
  /** Full names of the services that clients can call. */
  readonly serviceNames: readonly string[];
  /** Limit on open streams. */
  readonly streams: StreamLimit;
  /** Time in milliseconds between two checks while a caller watches the status. */
  readonly watchMs?: number | undefined;
}

const WATCH_MS = 2_000;

/** Name that stands for the whole server. */
const WHOLE_SERVER = '';

/** Returns the handlers of the gRPC health protocol (`grpc.health.v1.Health`). */
export function healthHandlers({
  health,
  serviceNames,
  streams,
  watchMs = WATCH_MS,
}: HealthHandlerDependencies): ServiceImpl<typeof Health> {
  const known = new Set([WHOLE_SERVER, ...serviceNames]);

  const getStatus = async (service: string): Promise<ServingStatus> =>
    known.has(service)
      ? toServingStatus(service, await health.report())
      : ServingStatus.SERVICE_UNKNOWN;

  async function* follow(
    service: string,
    signal: AbortSignal,
  ): AsyncGenerator<MessageInitShape<typeof HealthCheckResponseSchema>> {
    let last: ServingStatus | undefined;
    for (;;) {
      const status = await getStatus(service);
      if (status !== last) yield { status };
      last = status;
      const wake = health.stopping.aborted ? signal : AbortSignal.any([signal, health.stopping]);
      await sleep(watchMs, undefined, { signal: wake, ref: false }).catch(() => undefined);
      signal.throwIfAborted();
    }
  }

  return {
    async check({ service }) {
      const status = await getStatus(service);
      if (status === ServingStatus.SERVICE_UNKNOWN) {
        throw new ConnectError(
          `the service "${service}" doesn't exist: use a full name such as viam.app.v1.AppService, or an empty name for the whole server`,
          Code.NotFound,
        );
      }
      return { status };
    },
    async list() {
      const report = await health.report();
      const statuses: Record<string, { status: ServingStatus }> = {};
      for (const service of known) statuses[service] = { status: toServingStatus(service, report) };
      return { statuses };
    },
    async *watch({ service }, { signal, values }) {
      using _stream = streams.open(values.get(callerAddressKey));
      yield* follow(service, signal);
    },
  };
}

function toServingStatus(service: string, { status, checks }: HealthReport): ServingStatus {
  const isServing =
    status === 'ready' && (service !== QueryService.typeName || checks.queryProcesses === 'ok');
  return isServing ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
}
