import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { getErrorCode } from '../../base/errorCode';
import type { Logger } from '../../base/logger';
import type { DatabaseEndpoint } from '../mongo/databaseEndpoint';
import type { MetricSources } from '../monitoring/metrics';
import { readTraceOptions } from '../monitoring/traceOptions';
import type { Traces } from '../monitoring/traces';
import { type MetricsServer, startMetricsServer } from '../monitoring/metricsServer';
import type { ServerObserver } from '../server/fleetServer';
import { isLoopbackHost } from '../server/requestGuard';
import type { ServeCommand } from './commandLine';
import { version } from '../../../package.json';
import { CommandError, usageError } from '../files/commandError';
import type { TlsCertificate } from '../server/portListener';

/**
 * Wildcard addresses, which clients can't connect to, mapped to the loopback addresses to use
 * instead.
 */
const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Starts the endpoint for MongoDB clients if the command line requests it. The endpoint uses the
 * service's certificate.
 * @throws CommandError if the certificate or the address can't be used.
 */
export async function startDatabaseEndpoint(
  { mongo, tls: tlsFiles, mail, rateLimits, trustedProxies }: ServeCommand,
  endpoint: Pick<DatabaseEndpoint, 'listen'>,
  logger: Logger,
): Promise<void> {
  if (mongo === undefined) return;
  const tls = tlsFiles && (await readCertificate(tlsFiles));
  const { host, port } = mongo;
  if (tls === undefined && !isLoopbackHost(host)) {
    logger.warn('readings cross the network in plaintext: use --tls-cert', { host });
  }
  const loopback = WILDCARDS[host];
  const publicName = URL.parse(mail.publicUrl ?? '')?.hostname.replace(/^\[(.*)\]$/, '$1');
  const publicHost = loopback === undefined ? undefined : (publicName ?? loopback);
  try {
    await endpoint.listen({ host, port, tls, publicHost, rateLimits, trustedProxies });
  } catch (error) {
    const options = { hostOption: '--mongo-host', portOption: '--mongo-port' };
    throw listenFailure(error, { host, port, ...options });
  }
}

/** Metrics that are collected from the start, and served once the service is ready. */
export interface MetricsEndpoint {
  readonly observer: ServerObserver;
  /** @throws CommandError if the address can't be used. */
  listen(sources: MetricSources): Promise<MetricsServer>;
}

/**
 * Opens the metrics endpoint if the command line requests it. The library that formats metrics is
 * loaded only in this case.
 */
export async function openMetrics(
  { metrics: target, allowedHosts }: ServeCommand,
  logger: Logger,
): Promise<MetricsEndpoint | undefined> {
  if (target === undefined) return undefined;
  const { Metrics } = await import('../monitoring/metrics');
  const metrics = new Metrics();
  if (!isLoopbackHost(target.host)) {
    logger.warn('anyone who can reach the metrics port can read metrics', { host: target.host });
  }
  return {
    observer: metrics,
    async listen(sources) {
      try {
        return await startMetricsServer({ ...target, allowedHosts, metrics, sources, logger });
      } catch (error) {
        const options = { hostOption: '--metrics-host', portOption: '--metrics-port' };
        throw listenFailure(error, { ...target, ...options });
      }
    },
  };
}

/**
 * Opens the traces if the environment specifies a collector. The code for them is loaded only in this
 * case.
 * @throws CommandError (usage) that names the invalid variable
 */
export async function openTraces(
  environment: NodeJS.ProcessEnv,
  logger: Logger,
): Promise<Traces | undefined> {
  let options;
  try {
    options = readTraceOptions(environment, version);
  } catch (error) {
    throw usageError((error as Error).message);
  }
  if (options === undefined) return undefined;
  const { url, ignoredProtocol } = options;
  logger.info('sending traces', { endpoint: url.origin });
  if (ignoredProtocol !== undefined) {
    logger.warn('traces are sent as JSON: set OTEL_EXPORTER_OTLP_PROTOCOL=http/json', {
      requested: ignoredProtocol,
    });
  }
  const { Traces: Implementation } = await import('../monitoring/traces');
  return new Implementation(options, logger);
}

/** The address to listen on, and the options that specify it. */
interface ListenTarget {
  host: string;
  port: number;
  hostOption: string;
  portOption: string;
}

/**
 * Converts an error about listening on an address to an error that explains what to do. Returns
 * other errors unchanged.
 */
export function listenFailure(
  error: unknown,
  { host, port, hostOption, portOption }: ListenTarget,
): unknown {
  const code = getErrorCode(error);
  switch (code) {
    case 'EADDRINUSE':
      return new CommandError(
        `port ${port} of ${host} is in use by another program; stop it, or use another port ` +
          `with ${portOption} (0 takes any free one)`,
      );
    case 'EACCES':
      return new CommandError(
        `this user can't listen on port ${port} of ${host}; use a port above 1023 with ${portOption}`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new CommandError(
        `${host} is not an address of this computer (${code}); use another address with ${hostOption}`,
      );
    default:
      return error;
  }
}

/**
 * Reads the certificate specified on the command line.
 * @throws CommandError if the files can't be read or don't match.
 */
export async function readCertificate({
  certificateFile,
  keyFile,
}: NonNullable<ServeCommand['tls']>): Promise<TlsCertificate> {
  try {
    const [cert, key] = await Promise.all([
      readFile(certificateFile, 'utf8'),
      readFile(keyFile, 'utf8'),
    ]);
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
      throw new Error('the key belongs to another certificate');
    }
    return { cert, key };
  } catch (error) {
    throw new CommandError(
      `the certificate ${certificateFile} with the key ${keyFile} can't be used ` +
        `(${(error as Error).message}); use PEM files that belong together`,
      undefined,
      { cause: error },
    );
  }
}
