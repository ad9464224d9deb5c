import type { CallOptions, Client, Transport } from '@connectrpc/connect';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { QueryService } from '../../gen/fleetwright/query/v1/query_pb';
import type { DataService } from '../../gen/viam/app/data/v1/data_pb';
import type { DatasetService } from '../../gen/viam/app/dataset/v1/dataset_pb';
import type { DataSyncService } from '../../gen/viam/app/datasync/v1/data_sync_pb';
import type { MLTrainingService } from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import type { PackageService } from '../../gen/viam/app/packages/v1/packages_pb';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import { englishLocalizer, type Localizer } from '../../base/localizer';
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
  /** Language of errors about responses. */
  readonly l10n: Localizer;
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
export function clientsOver(transport: Transport, l10n = englishLocalizer): LoadClients {
  let loaded: Promise<FleetClients> | undefined;
  return () => (loaded ??= load(transport, l10n));
}

async function load(transport: Transport, l10n: Localizer): Promise<FleetClients> {
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
    l10n,
  };
}

/** Returns call options that include the signal, if it is defined. */
export function withSignal(signal: AbortSignal | undefined): CallOptions {
  return signal ? { signal } : {};
}

/**
 * Returns a message that a response must contain. @param name English name of the message, for the
 * cause of the error
 */
export function required<T>(message: T | undefined, name: string, l10n: Localizer): T {
  if (message === undefined) {
    const text = l10n.t('The service sent an incomplete response. Try again.');
    const cause = new Error(`The response has no ${name}.`);
    throw new FleetError('internal', text, { cause, action: 'retry' });
  }
  return message;
}

/**
 * Parses the JSON text of an object for the API's `Struct` type. Throws `invalid` for any other
 * text.
 */
export function parseConfig(text: string, l10n: Localizer): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new FleetError('invalid', l10n.t('This is not valid JSON.'), { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const message = l10n.t('The document must be a JSON object. Enclose it in { and }.');
    throw new FleetError('invalid', message);
  }
  return value;
}
