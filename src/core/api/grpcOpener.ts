import { systemClock, systemSleep } from '../../base/clock';
import { englishLocalizer } from '../../base/localizer';
import type { Logger } from '../ports';
import type { OpenTransport } from './connectionTransport';

/**
 * Opens connections over gRPC, which every deployment of the fleet cloud supports. Loads the gRPC
 * code when the first connection is opened.
 * @param authorities reads additional certificate authorities (PEM) to trust.
 * @param l10n translates error messages.
 */
export function grpcOpener(
  logger: Logger,
  authorities: () => readonly string[],
  l10n = englishLocalizer,
): OpenTransport {
  return async ({ baseUrl }, readKey) => {
    const [{ createGrpcWire }, { createInterceptedTransport }, { ContentReader }] =
      await Promise.all([
        import('./grpcWire'),
        import('./interceptedTransport'),
        import('./contentReader'),
      ]);
    const trusted = authorities();
    const wire = createGrpcWire(baseUrl, trusted);
    const { transport, getToken, clearToken, invalidateToken, responses } =
      createInterceptedTransport({
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
      authorities: trusted,
      getToken,
      invalidateToken,
      l10n,
    });
    return {
      transport,
      getToken,
      clearToken,
      readContent: contents.read,
      onDidChangeResponse: responses?.onDidChange,
      dispose: () => {
        responses?.dispose();
        wire.dispose();
        contents.dispose();
      },
    };
  };
}
