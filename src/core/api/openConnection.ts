import { systemClock, systemSleep } from '../../base/clock';
import type { Logger } from '../ports';
import type { OpenTransport } from '../sessions/fleetSession';
import { createGrpcWire } from './grpcWire';
import { createFleetTransport } from './transport';

/**
 * Opens connections over gRPC, which every deployment of the fleet cloud speaks.
 * @param authorities reads the certificate authorities (PEM) to trust besides the usual ones.
 */
export function grpcOpener(logger: Logger, authorities: () => readonly string[]): OpenTransport {
  return ({ baseUrl }, readKey) => {
    const wire = createGrpcWire(baseUrl, authorities());
    const { transport, authenticator } = createFleetTransport({
      baseUrl,
      openWire: wire.open,
      readKey,
      logger,
      clock: systemClock,
      sleep: systemSleep,
      random: Math.random,
    });
    return {
      transport,
      getToken: () => authenticator.getToken(),
      dispose: () => wire.dispose(),
    };
  };
}
