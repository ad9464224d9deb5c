import { FleetSession, type OpenTransport } from './fleetSession';
import { toConnectionId } from '../model/connection';
import type { Credentials } from '../model/credentials';
import type { Organization } from '../model/entities';

/**
 * Verifies a URL and an API key before anything is stored: authenticates and lists the
 * organizations. Throws a `FleetError` that identifies the cause: URL, certificate, protocol, or
 * key.
 */
export async function verifyCredentials(
  { baseUrl, keyId, key }: Credentials,
  open: OpenTransport,
  signal?: AbortSignal,
): Promise<readonly Organization[]> {
  const connection = {
    id: toConnectionId(keyId),
    label: '',
    baseUrl,
    keyId,
    kind: 'cloud',
  } as const;
  const session = new FleetSession(connection, open, () =>
    Promise.resolve({ id: keyId, secret: key }),
  );
  try {
    return await session.stores.organizations.list({ signal });
  } finally {
    session.dispose();
  }
}

/**
 * Formats a label such as `Acme Robotics · fleet.example.com`, including the number of additional
 * organizations.
 */
export function connectionLabel(baseUrl: string, organizations: readonly Organization[]): string {
  const { host } = new URL(baseUrl);
  const [first] = organizations;
  if (!first) return host;
  const more = organizations.length > 1 ? ` +${organizations.length - 1}` : '';
  return `${first.name}${more} · ${host}`;
}
