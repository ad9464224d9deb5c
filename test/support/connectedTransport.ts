import type { Transport } from '@connectrpc/connect';
import { ConnectionTransport } from '../../src/core/api/connectionTransport';
import { toConnectionId } from '../../src/core/model/connection';

/** Adds the product's own transport to a transport that needs no token. */
export function connectedTransport(
  transport: Transport,
  baseUrl = 'http://127.0.0.1:1',
): ConnectionTransport {
  const keyId = '00000000-0000-0000-0000-000000000000';
  const id = toConnectionId(keyId);
  return new ConnectionTransport(
    { id, label: 'Test', baseUrl, keyId, kind: 'cloud' },
    () => ({
      transport,
      getToken: () => Promise.resolve(''),
      clearToken: () => undefined,
      dispose: () => undefined,
    }),
    () => Promise.resolve({ id: keyId, secret: '' }),
  );
}
