import type { CallOptions, Client, Transport } from '@connectrpc/connect';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { QueryService } from '../../gen/fleetwright/query/v1/query_pb';
import type { DataService } from '../../gen/viam/app/data/v1/data_pb';
import type { DatasetService } from '../../gen/viam/app/dataset/v1/dataset_pb';
import type { DataSyncService } from '../../gen/viam/app/datasync/v1/data_sync_pb';
import type { MLTrainingService } from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import type { PackageService } from '../../gen/viam/app/packages/v1/packages_pb';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import { FleetError } from './errors';

/** Typed clients of one connection. */
export interface FleetClients {
  readonly app: Client<typeof AppService>;
  readonly data: Client<typeof DataService>;
  readonly datasets: Client<typeof DatasetService>;
  readonly packages: Client<typeof PackageService>;
  /** Query service, which only our own services implement. */
  readonly queries: Client<typeof QueryService>;
  readonly sync: Client<typeof DataSyncService>;
  readonly training: Client<typeof MLTrainingService>;
}

/**
 * Returns the clients, which are created on first use because loading the API contract takes longer
 * than loading all of our own code.
 */
export type LoadClients = () => Promise<FleetClients>;

/**
 * Creates clients over a transport from `createFleetTransport`, or over a router transport in
 * tests.
 */
export function clientsOver(transport: Transport): LoadClients {
  let loaded: Promise<FleetClients> | undefined;
  return () => (loaded ??= load(transport));
}

async function load(transport: Transport): Promise<FleetClients> {
  const [{ createClient }, fleet, captured, grouped, uploaded, queried, packed, trained] =
    await Promise.all([
      import('@connectrpc/connect'),
      import('../../gen/viam/app/v1/app_pb'),
      import('../../gen/viam/app/data/v1/data_pb'),
      import('../../gen/viam/app/dataset/v1/dataset_pb'),
      import('../../gen/viam/app/datasync/v1/data_sync_pb'),
      import('../../gen/fleetwright/query/v1/query_pb'),
      import('../../gen/viam/app/packages/v1/packages_pb'),
      import('../../gen/viam/app/mltraining/v1/ml_training_pb'),
    ]);
  return {
    app: createClient(fleet.AppService, transport),
    data: createClient(captured.DataService, transport),
    datasets: createClient(grouped.DatasetService, transport),
    packages: createClient(packed.PackageService, transport),
    queries: createClient(queried.QueryService, transport),
    sync: createClient(uploaded.DataSyncService, transport),
    training: createClient(trained.MLTrainingService, transport),
  };
}

/** Returns call options that include the signal, if it is defined. */
export function withSignal(signal: AbortSignal | undefined): CallOptions {
  return signal ? { signal } : {};
}

/**
 * Returns a message that a response must contain; `what` is its name for the error, such as "the
 * part".
 */
export function required<T>(message: T | undefined, what: string): T {
  if (message === undefined) {
    throw new FleetError('internal', `The response of the service doesn't include ${what}.`, {
      action: 'retry',
    });
  }
  return message;
}

/**
 * Parses the JSON text of an object for the API's `Struct` type. Throws `invalid` for any other
 * text.
 */
export function parseConfig(text: string): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new FleetError('invalid', `This is not valid JSON: ${reason}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FleetError('invalid', 'This must be a JSON object, written in { and }.');
  }
  return value;
}
