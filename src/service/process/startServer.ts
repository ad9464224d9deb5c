import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isLoopbackHost } from '../server/requestGuard';
import { type FleetServer, type FleetServerOptions, startFleetServer } from '../server/fleetServer';
import type { TlsCertificate } from '../server/portListener';
import { CommandError, systemErrorCode } from './commandError';
import type { ServeCommand } from './commandLine';

type Rest = Omit<FleetServerOptions, 'host' | 'port' | 'tls' | 'allowedHosts' | 'allowedOrigins'>;

/**
 * Starts the server that a command line describes.
 * @throws CommandError when the certificate or the address cannot be used.
 */
export async function startServer(command: ServeCommand, rest: Rest): Promise<FleetServer> {
  const { host, port, allowedOrigins, mail } = command;
  const publicHost = URL.parse(mail.publicUrl ?? '')?.hostname;
  const allowedHosts = [...command.allowedHosts, ...(publicHost === undefined ? [] : [publicHost])];
  const tls = command.tls && (await readCertificate(command.tls));
  if (tls === undefined && !isLoopbackHost(host)) {
    rest.logger.warn('keys and data cross the network in plaintext: use --tls-cert', { host });
  }
  try {
    return await startFleetServer({ ...rest, host, port, tls, allowedHosts, allowedOrigins });
  } catch (error) {
    throw listenFailure(error, host, port);
  }
}

async function readCertificate({
  certificateFile,
  keyFile,
}: NonNullable<ServeCommand['tls']>): Promise<TlsCertificate> {
  try {
    const [cert, key] = await Promise.all([
      readFile(certificateFile, 'utf8'),
      readFile(keyFile, 'utf8'),
    ]);
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
      throw new Error('the key is of another certificate');
    }
    return { cert, key };
  } catch (error) {
    throw new CommandError(
      `the certificate ${certificateFile} with the key ${keyFile} cannot be used ` +
        `(${(error as Error).message}); give PEM files that belong together`,
      undefined,
      { cause: error },
    );
  }
}

function listenFailure(error: unknown, host: string, port: number): unknown {
  const code = systemErrorCode(error);
  switch (code) {
    case 'EADDRINUSE':
      return new CommandError(
        `port ${port} of ${host} is used by another program; end it, or choose another port ` +
          'with --port (0 takes any free one)',
      );
    case 'EACCES':
      return new CommandError(
        `this user may not listen on port ${port} of ${host}; choose one above 1023 with --port`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new CommandError(
        `${host} is no address of this machine (${code}); choose another with --host`,
      );
    default:
      return error;
  }
}
