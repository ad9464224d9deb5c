import type { Logger } from '../../base/logger';
import type { DatabaseEndpoint } from '../mongo/databaseEndpoint';
import { isLoopbackHost } from '../server/requestGuard';
import type { ServeCommand } from './commandLine';
import { listenFailure } from './listenFailure';
import { readCertificate } from './readCertificate';

/**
 * Wildcard addresses, which clients can't connect to, mapped to the loopback addresses to use
 * instead.
 */
const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Starts the endpoint for MongoDB clients if the command line requests it. The endpoint uses the
 * certificate of the service.
 * @throws CommandError if the certificate or the address can't be used.
 */
export async function startDatabaseEndpoint(
  { mongo, tls: tlsFiles, mail }: ServeCommand,
  endpoint: Pick<DatabaseEndpoint, 'listen'>,
  logger: Logger,
): Promise<void> {
  if (mongo === undefined) {
    return;
  }
  const tls = tlsFiles && (await readCertificate(tlsFiles));
  const { host, port } = mongo;
  if (tls === undefined && !isLoopbackHost(host)) {
    logger.warn('readings cross the network in plaintext: use --tls-cert', { host });
  }
  const loopback = WILDCARDS[host];
  const publicName = URL.parse(mail.publicUrl ?? '')?.hostname.replace(/^\[(.*)\]$/, '$1');
  const publicHost = loopback === undefined ? undefined : (publicName ?? loopback);
  try {
    await endpoint.listen({ host, port, tls, publicHost });
  } catch (error) {
    const options = { hostOption: '--mongo-host', portOption: '--mongo-port' };
    throw listenFailure(error, { host, port, ...options });
  }
}
