import type { DisposableLike } from '../../../base/disposable';
import type { ConfigSource } from '../../../core/documents/configSource';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import { getWireFormat, createConfigSource } from '../../../core/documents/documentSources';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { SessionProvider } from '../../platform/sessionProvider';

/**
 * Creates the source of a document for the lifetime of its editor. Every call gets the connection's
 * stores again, because signing out and back in replaces them.
 */
export function liveConfigSource(
  sessions: SessionProvider,
  { connectionId, subject }: DocumentAddress,
): ConfigSource {
  const source = (): ConfigSource => createConfigSource(sessions.stores(connectionId), subject);
  return {
    carrier: getWireFormat(subject),
    read: async (signal) => source().read(signal),
    write: async (request) => source().write(request),
    onDidChange: (listener) => {
      let stores: FleetStores | undefined;
      let following: DisposableLike | undefined;
      const follow = (): void => {
        const known = sessions.connection(connectionId) !== undefined;
        const current = known ? sessions.stores(connectionId) : undefined;
        if (current === stores) return;
        following?.dispose();
        following = current && createConfigSource(current, subject).onDidChange(listener);
        if (stores === undefined && current) listener();
        stores = current;
      };
      follow();
      const connections = sessions.onDidChangeConnections(follow);
      return {
        dispose: () => {
          connections.dispose();
          following?.dispose();
        },
      };
    },
  };
}
