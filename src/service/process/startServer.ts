import { isLoopbackHost } from '../server/requestGuard';
import { type FleetServer, type FleetServerOptions, startFleetServer } from '../server/fleetServer';
import type { ServeCommand } from './commandLine';
import { listenFailure } from './listenFailure';
import { readCertificate } from './readCertificate';

type Rest = Omit<
  FleetServerOptions,
  'host' | 'port' | 'tls' | 'allowedHosts' | 'allowedOrigins' | 'connectionLimits'
>;

/**
 * Starts the server that a command line specifies.
 * @throws CommandError if the certificate or the address can't be used.
 */
export async function startServer(command: ServeCommand, rest: Rest): Promise<FleetServer> {
  const { host, port, allowedOrigins, connectionLimits, mail } = command;
  const publicHost = URL.parse(mail.publicUrl ?? '')?.hostname;
  const allowedHosts = [...command.allowedHosts, ...(publicHost === undefined ? [] : [publicHost])];
  const tls = command.tls && (await readCertificate(command.tls));
  if (tls === undefined && !isLoopbackHost(host)) {
    rest.logger.warn('keys and data cross the network in plaintext: use --tls-cert', { host });
  }
  try {
    return await startFleetServer({
      ...{ ...rest, host, port, tls, allowedHosts, allowedOrigins, connectionLimits },
    });
  } catch (error) {
    throw listenFailure(error, { host, port, hostOption: '--host', portOption: '--port' });
  }
}
