import { systemClock, systemSleep } from '../../base/clock';
import type { ApiKey } from './apiKey';
import type { Logger } from '../ports';
import type { OpenedTransport, OpenTransport } from '../sessions/fleetSession';

/**
 * Opens connections over gRPC, which every deployment of the fleet cloud speaks. What speaks it is
 * loaded with the first call: it takes longer to load than all our own code.
 * @param authorities reads the certificate authorities (PEM) to trust besides the usual ones.
 */
export function grpcOpener(logger: Logger, authorities: () => readonly string[]): OpenTransport {
  return ({ baseUrl }, readKey) => {
    let opened: Promise<Required<OpenedTransport>> | undefined;
    const open = (): Promise<Required<OpenedTransport>> =>
      (opened ??= openGrpc(baseUrl, authorities(), readKey, logger));
    return {
      transport: {
        unary: async (...call) => (await open()).transport.unary(...call),
        stream: async (...call) => (await open()).transport.stream(...call),
      },
      getToken: async () => (await open()).getToken(),
      forgetToken: () => void opened?.then((transport) => transport.forgetToken()),
      readContent: async (...request) => (await open()).readContent(...request),
      dispose: () => void opened?.then((transport) => transport.dispose()),
    };
  };
}

async function openGrpc(
  baseUrl: string,
  authorities: readonly string[],
  readKey: () => Promise<ApiKey>,
  logger: Logger,
): Promise<Required<OpenedTransport>> {
  const [{ createGrpcWire }, { createFleetTransport }, { ContentReader }] = await Promise.all([
    import('./grpcWire'),
    import('./transport'),
    import('./contentReader'),
  ]);
  const wire = createGrpcWire(baseUrl, authorities);
  const { transport, getToken, forgetToken, refuseToken } = createFleetTransport({
    baseUrl,
    openWire: wire.open,
    readKey,
    logger,
    clock: systemClock,
    sleep: systemSleep,
    random: Math.random,
  });
  const contents = new ContentReader({ baseUrl, authorities, getToken, refuseToken });
  return {
    transport,
    getToken,
    forgetToken,
    readContent: contents.read,
    dispose: () => {
      wire.dispose();
      contents.dispose();
    },
  };
}
