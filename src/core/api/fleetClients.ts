import type { CallOptions, Client, Transport } from '@connectrpc/connect';
import type { DescService, JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { QueryService } from '../../gen/fleetwright/query/v1/query_pb';
import type { RolloutService } from '../../gen/fleetwright/rollout/v1/rollout_pb';
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
  /** Rollout service, which only our own services implement. */
  readonly rollouts: Client<typeof RolloutService>;
  readonly sync: Client<typeof DataSyncService>;
  readonly training: Client<typeof MLTrainingService>;
  /** Translates errors about responses. */
  readonly l10n: Localizer;
}

/** Names of a client's streaming methods, which return a stream of responses. */
type StreamingMethodOf<C> = {
  [M in keyof C]: C[M] extends (...call: never[]) => AsyncIterable<unknown> ? M : never;
}[keyof C];

/** Methods that return a stream of responses. All other methods return a promise. */
const STREAMING_METHODS: Readonly<
  Record<
    { [S in Exclude<keyof FleetClients, 'l10n'>]: StreamingMethodOf<FleetClients[S]> }[Exclude<
      keyof FleetClients,
      'l10n'
    >],
    true
  >
> = { tailRobotPartLogs: true, exportTabularData: true, streamTabularData: true };

/**
 * Creates clients over a connection's transport, or over a router transport in tests. Each client
 * loads its part of the API contract with its first call, because loading the contract takes longer
 * than loading all of our own code.
 */
export function clientsOver(transport: Transport, l10n = englishLocalizer): FleetClients {
  return {
    l10n,
    app: lazyClient(
      transport,
      async () => (await import('../../gen/viam/app/v1/app_pb')).AppService,
    ),
    data: lazyClient(
      transport,
      async () => (await import('../../gen/viam/app/data/v1/data_pb')).DataService,
    ),
    datasets: lazyClient(
      transport,
      async () => (await import('../../gen/viam/app/dataset/v1/dataset_pb')).DatasetService,
    ),
    packages: lazyClient(
      transport,
      async () => (await import('../../gen/viam/app/packages/v1/packages_pb')).PackageService,
    ),
    queries: lazyClient(
      transport,
      async () => (await import('../../gen/fleetwright/query/v1/query_pb')).QueryService,
    ),
    rollouts: lazyClient(
      transport,
      async () => (await import('../../gen/fleetwright/rollout/v1/rollout_pb')).RolloutService,
    ),
    sync: lazyClient(
      transport,
      async () => (await import('../../gen/viam/app/datasync/v1/data_sync_pb')).DataSyncService,
    ),
    training: lazyClient(
      transport,
      async () =>
        (await import('../../gen/viam/app/mltraining/v1/ml_training_pb')).MLTrainingService,
    ),
  };
}

/** Client method with an unknown signature. */
type Method = (...call: readonly unknown[]) => unknown;

/** Creates a client whose methods load the description of the service before their first call. */
function lazyClient<S extends DescService>(
  transport: Transport,
  loadService: () => Promise<S>,
): Client<S> {
  const load = async (): Promise<Client<S>> => {
    const [{ createClient }, service] = await Promise.all([
      import('@connectrpc/connect'),
      loadService(),
    ]);
    return createClient(service, transport);
  };
  let client: Promise<Client<S>> | undefined;
  const loadMethod = async (name: string): Promise<Method> => {
    client ??= load();
    return Reflect.get(await client, name) as Method;
  };
  return new Proxy({} as Client<S>, {
    get: (_, name) => {
      // A client with a `then` method would be treated as a promise.
      if (typeof name !== 'string' || name === 'then') return undefined;
      if (!(name in STREAMING_METHODS)) {
        return async (...call: readonly unknown[]) => (await loadMethod(name))(...call);
      }
      return async function* (...call: readonly unknown[]): AsyncGenerator {
        const method = await loadMethod(name);
        yield* method(...call) as AsyncIterable<unknown>;
      };
    },
  });
}

/** Returns call options that include the signal, if it is defined. */
export function withSignal(signal: AbortSignal | undefined): CallOptions {
  return signal ? { signal } : {};
}

/**
 * Returns a message that a response must contain; throws if the message is missing. @param name
 * English name of the message, for the cause of the error
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
 * Parses JSON text to an object for the API's `Struct` type. Throws `invalid` if the text isn't a
 * JSON object.
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
