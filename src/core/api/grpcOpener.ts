import { systemClock, systemSleep } from '../../base/clock';
import { Emitter } from '../../base/emitter';
import { englishLocalizer, type Localizer } from '../../base/localizer';
import type { ApiKey } from '../model/connection';
import type { ResponseChange } from './responseWatch';
import type { FleetTransport } from './transport';
import type { Logger } from '../ports';
import type { OpenedTransport, OpenTransport } from '../sessions/fleetSession';

type GrpcConnection = Required<Omit<OpenedTransport, 'onDidChangeResponse'>> &
  Pick<FleetTransport, 'responses'>;

/**
 * Opens connections over gRPC, which every deployment of the fleet cloud supports. Loads the gRPC
 * code with the first call, because loading it takes longer than loading all of our own code.
 * @param authorities reads additional certificate authorities (PEM) to trust.
 * @param l10n the language of error messages.
 */
export function grpcOpener(
  logger: Logger,
  authorities: () => readonly string[],
  l10n = englishLocalizer,
): OpenTransport {
  return ({ baseUrl }, readKey) => {
    let opened: Promise<GrpcConnection> | undefined;
    const changed = new Emitter<ResponseChange>();
    const open = (): Promise<GrpcConnection> =>
      (opened ??= openGrpc(baseUrl, authorities(), readKey, logger, l10n).then((connection) => {
        connection.responses?.onDidChange((change) => changed.fire(change));
        return connection;
      }));
    return {
      transport: {
        unary: async (...call) => (await open()).transport.unary(...call),
        stream: async (...call) => (await open()).transport.stream(...call),
      },
      getToken: async () => (await open()).getToken(),
      forgetToken: () => void opened?.then((transport) => transport.forgetToken()),
      readContent: async (...request) => (await open()).readContent(...request),
      onDidChangeResponse: changed.event,
      dispose: () => {
        changed.dispose();
        void opened?.then((transport) => transport.dispose());
      },
    };
  };
}

async function openGrpc(
  baseUrl: string,
  authorities: readonly string[],
  readKey: () => Promise<ApiKey>,
  logger: Logger,
  l10n: Localizer,
): Promise<GrpcConnection> {
  const [{ createGrpcWire }, { createFleetTransport }, { ContentReader }] = await Promise.all([
    import('./grpcWire'),
    import('./transport'),
    import('./contentReader'),
  ]);
  const wire = createGrpcWire(baseUrl, authorities);
  const { transport, getToken, forgetToken, invalidateToken, responses } = createFleetTransport({
    baseUrl,
    openWire: wire.open,
    readKey,
    logger,
    clock: systemClock,
    sleep: systemSleep,
    random: Math.random,
    watchSleep: systemSleep,
    l10n,
  });
  const contents = new ContentReader({
    baseUrl,
    authorities,
    getToken,
    invalidateToken,
    l10n,
  });
  return {
    transport,
    getToken,
    forgetToken,
    readContent: contents.read,
    responses,
    dispose: () => {
      responses?.dispose();
      wire.dispose();
      contents.dispose();
    },
  };
}
