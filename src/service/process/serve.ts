import { join } from 'node:path';
import { getErrorCode } from '../../base/errorCode';
import { systemClock, systemSleep } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { isAccountPage } from '../accounts/accounts';
import { requireFinishedRestore } from '../backup/restoreFleet';
import { DemoDataError } from '../demo/demoData';
import { type FleetService, type FleetServiceOptions, openFleetService } from '../fleetService';
import type { NatsServer } from '../logs/natsNotices';
import type { OpenNotices } from '../logs/openLogBroker';
import type { Mailer } from '../mail/mailer';
import { OutboxMailer } from '../mail/outboxMailer';
import { SmtpMailer } from '../mail/smtpMailer';
import { openObjectBucket } from '../objects/openObjectBucket';
import { ObjectsError } from '../objects/recordObjects';
import { SecretsKeyError } from '../secrets/secretsKeySource';
import { RESERVED_MEBIBYTES, releaseReserveFile } from '../store/diskReserve';
import { NewerSchemaError } from '../store/migrations/migrations';
import { UnorderedIdsError } from '../store/openStore';
import { isDatabaseDamaged, isDiskFull } from '../store/storeErrors';
import {
  claimDirectory,
  directoryInUse,
  identityRoute,
  newProofKey,
  removeServiceFile,
  writeServiceFile,
} from './claimDirectory';
import { CommandError, EXIT_FAILED } from '../files/commandError';
import type { ServeCommand } from './commandLine';
import { credentialsPath, SavedCredentials } from './credentialsFile';
import { DatabaseCheck } from './databaseCheck';
import { checkDatabaseFile, damagedDatabaseError } from './databaseState';
import {
  getDefaultDataDirectory,
  makeDataDirectory,
  makeEphemeralDirectory,
} from './dataDirectory';
import {
  CONTENTS_FOLDER,
  CURSORS_FOLDER,
  LAKE_FOLDER,
  OBJECTS_CACHE_FOLDER,
  OUTBOX_FOLDER,
  RESERVE_FILE,
  TRAINING_FOLDER,
} from '../files/dataDirectoryLayout';
import { Leases } from './leases';
import type { MailOptions } from './serveOptions';
import { openSecretsKey } from './commandOptions';
import {
  listenFailure,
  openMetrics,
  openTraces,
  readCertificate,
  startDatabaseEndpoint,
} from './endpoints';
import type { CallContext } from '../server/callIdentity';
import { countBuffersAsObjects, idleCollector } from '../server/idleCollector';
import { version } from '../../../package.json';
import { compareSemanticVersions, parseSemanticVersion } from '../../core/model/semanticVersion';
import { isLoopbackHost } from '../server/requestGuard';
import { type FleetServer, type FleetServerOptions, startFleetServer } from '../server/fleetServer';

/** File names of the bundled programs, which are all in the same directory. */
const SERVICE_PROGRAM = 'service.js';
const QUERY_PROGRAM = 'queryProcess.js';
const TRAINING_PROGRAM = 'trainingProcess.js';

/** Line that `serve` prints to stdout once the service accepts calls. */
export interface ReadyLine {
  url: string;
  credentialsFile: string;
  /** True if an older version of the service was already running on the directory. */
  isOutdated?: boolean;
}

/** The log of the service, and the context that adds the identity of calls to its lines. */
interface ServeLogging {
  readonly logger: Logger;
  readonly callContext: CallContext;
}

/**
 * Runs the service like `serveDirectory`, and explains the cause if the start fails because the
 * disk is full or the database is damaged.
 * @throws CommandError for problems that the user can fix.
 */
export async function serve(
  command: ServeCommand,
  logging: ServeLogging,
  print: (line: ReadyLine) => void,
): Promise<void> {
  countBuffersAsObjects();
  const directory = command.ephemeral
    ? makeEphemeralDirectory()
    : makeDataDirectory(
        command.dataDirectory ?? getDefaultDataDirectory(process.platform, process.env),
      );
  try {
    await releaseReserveFile(join(directory, RESERVE_FILE));
    await serveDirectory(directory, command, logging, print);
  } catch (error) {
    if (isDatabaseDamaged(error)) {
      throw damagedDatabaseError({ directory, databaseUrl: command.databaseUrl }, error);
    }
    if (!isDiskFull(error)) throw error;
    throw new CommandError(
      `the disk of ${directory} is full: free ${String(RESERVED_MEBIBYTES)} MiB on it, for example by moving ` +
        `files that don't belong to the service, and start the service again; then delete unneeded data`,
      undefined,
      { cause: error },
    );
  }
}

/**
 * Runs the service until it receives a signal. If `idleTimeoutMs` is set, the service also stops
 * after that time without leases. Closes everything that it opened before it returns or throws.
 * @throws CommandError for problems that the user can fix.
 */
async function serveDirectory(
  directory: string,
  command: ServeCommand,
  logging: ServeLogging,
  print: (line: ReadyLine) => void,
): Promise<void> {
  const { logger } = logging;
  const claim = await claimDirectory(directory);
  if (claim.kind === 'running') {
    if (!command.reuse) throw directoryInUse(directory, claim.service);
    const { url, version: running } = claim.service;
    const isOutdated = isOlder(running, version);
    print({ url, credentialsFile: credentialsPath(directory), ...(isOutdated && { isOutdated }) });
    return;
  }
  const stop = new StopRequest();
  await using resources = new AsyncDisposableStack();
  resources.use(claim.lock);
  await requireFinishedRestore(directory);
  const isEmbedded = command.databaseUrl === undefined && !command.ephemeral;
  const databaseState = isEmbedded ? await checkDatabaseFile(directory, logger) : 'sound';
  const proofKey = newProofKey();
  const { allowsScripts } = command.training;
  const self = { pid: process.pid, proofKey, allowsScripts, version };
  await writeServiceFile(directory, self);
  resources.defer(() => removeServiceFile(directory));

  let listeningUrl = '';
  const { publicUrl } = command.mail;
  const credentials = new SavedCredentials(directory, logger);
  const service = await openService(command, directory, {
    logger,
    mailer: openMailer(command.mail, directory, logger),
    publicUrl: () => publicUrl ?? listeningUrl,
    keyRotated: credentials.keyRotated,
    isDatabaseDamaged: databaseState !== 'sound',
  });
  resources.defer(() => service.close());
  const saved = await credentials.read();
  const owner = await service.bootstrap(saved).catch((error: unknown) => {
    if (!(error instanceof DemoDataError)) throw error;
    throw new CommandError(error.message, undefined, { cause: error });
  });
  // Loading the demo fleet leaves a lot of garbage, which V8 would retain while the service is idle.
  idleCollector.schedule();
  const leases = new Leases({
    authenticate: (authorization) => service.authenticateToken(authorization),
    idleTimeoutMs: command.idleTimeoutMs,
    isBusy: () => service.isTraining(),
    onUnused: () => {
      stop.request('unused');
    },
  });
  const metrics = await openMetrics(command, logger);
  const tracer = resources.use(await openTraces(process.env, logger));
  await startDatabaseEndpoint(command, service.databaseEndpoint, logger);
  const server = await startServer(command, {
    routes: (router) => {
      service.routes(router);
    },
    interceptors: service.interceptors,
    admit: service.admit,
    longWork: service.longWork,
    httpRoutes: [leases.route, identityRoute(proofKey), ...service.httpRoutes],
    ownPages: { isPage: isAccountPage, publicUrl },
    observer: metrics?.observer,
    tracer,
    ...logging,
  });
  resources.defer(() => server.close());
  resources.defer(() => {
    leases.close();
  });

  const metricsServer = await metrics?.listen({
    server: () => server.measure(),
    service: () => service.measure(),
  });
  resources.use(metricsServer);
  const { url } = server;
  listeningUrl = url;
  await credentials.write(url, owner);
  await writeServiceFile(directory, { ...self, url });
  // From this point on, clients that look for a service wait for the next one instead of using this
  // one.
  resources.defer(() => writeServiceFile(directory, self));
  leases.start();
  const { address: database } = service.databaseEndpoint;
  if (databaseState === 'unchecked') {
    const program = join(__dirname, SERVICE_PROGRAM);
    resources.use(new DatabaseCheck({ program, directory, logger, sleep: systemSleep }));
  }
  logger.info('ready', {
    url,
    pid: process.pid,
    database: database?.host,
    metricsPort: metricsServer?.port,
  });
  print({ url, credentialsFile: credentialsPath(directory) });
  logger.info('stopping', { reason: await stop.reason });
  // During the delay, the service still responds, but `--reuse` must not return its URL anymore.
  await writeServiceFile(directory, self);
  service.health.stop();
  if (command.shutdownDelayMs !== undefined) await systemSleep(command.shutdownDelayMs);
}

/**
 * Returns a mailer that uses the mail server, if one is specified. Otherwise, the mailer writes
 * files to the data directory.
 */
function openMailer({ smtp, from }: MailOptions, dataDir: string, logger: Logger): Mailer {
  return smtp === undefined
    ? new OutboxMailer({
        directory: join(dataDir, OUTBOX_FOLDER),
        from,
        clock: systemClock,
        logger,
      })
    : new SmtpMailer({ server: smtp, from, clock: systemClock });
}

/**
 * Opens the bucket that the command line specifies. The service checks it, because only the database
 * says whether it was used before.
 */
async function openObjects(
  objects: ServeCommand['objects'],
  dataDir: string,
): Promise<FleetServiceOptions['objects']> {
  if (objects === undefined || objects === 'files') return objects;
  const { location, cacheBytes, publicEndpoint } = objects;
  return {
    bucket: await openObjectBucket(location, { publicEndpoint }),
    cacheDirectory: join(dataDir, OBJECTS_CACHE_FOLDER),
    cacheBytes,
  };
}

/** Returns a function that connects to NATS, whose client is loaded only here. */
async function natsNotices(server: NatsServer, logger: Logger): Promise<OpenNotices> {
  const { NatsNotices } = await import('../logs/natsNotices');
  return (receiver) => new NatsNotices({ server, logger }, receiver);
}

async function openService(
  command: ServeCommand,
  dataDir: string,
  rest: Pick<
    FleetServiceOptions,
    'logger' | 'mailer' | 'publicUrl' | 'keyRotated' | 'isDatabaseDamaged'
  >,
): Promise<FleetService> {
  const { databaseUrl, secretsKey, ephemeral, demo, demoMachines, training } = command;
  const objects = await openObjects(command.objects, dataDir);
  const openNotices = command.nats && (await natsNotices(command.nats, rest.logger));
  try {
    return await openFleetService({
      databaseUrl,
      openNotices,
      roles: command.roles,
      objects,
      dataDir: ephemeral ? undefined : dataDir,
      secretsKey: ephemeral ? undefined : openSecretsKey(secretsKey, dataDir, rest.logger),
      blobsDir: join(dataDir, CONTENTS_FOLDER),
      lakeDir: join(dataDir, LAKE_FOLDER),
      hotReadingsDays: command.hotReadingsDays,
      cursorsDir: join(dataDir, CURSORS_FOLDER),
      trainingDir: join(dataDir, TRAINING_FOLDER),
      trainingProgram: join(__dirname, TRAINING_PROGRAM),
      allowTrainingScripts: training.allowsScripts,
      trainingLimits: training.jobs === undefined ? undefined : { jobs: training.jobs },
      queryProgram: join(__dirname, QUERY_PROGRAM),
      demo,
      demoIsAlive: demoMachines === 'alive',
      logLimits: command.logLimits,
      maxFailedSignIns: command.maxFailedSignIns,
      ...rest,
    });
  } catch (error) {
    if (typeof objects === 'object') objects.bucket.close();
    if (
      error instanceof SecretsKeyError ||
      error instanceof NewerSchemaError ||
      error instanceof UnorderedIdsError ||
      error instanceof ObjectsError
    ) {
      throw new CommandError(error.message, undefined, { cause: error });
    }
    const [where, advice] =
      databaseUrl === undefined
        ? [`in ${dataDir}`, 'repair it, or use another directory with --data DIR']
        : [
            `at ${withoutPassword(databaseUrl)}`,
            'check that the database is running, or correct its address',
          ];
    throw new CommandError(
      `the store ${where} can't be opened: ${reasons(error).join(': ')}; ${advice}`,
      undefined,
      { cause: error },
    );
  }
}

/** Returns the messages from an error and its causes, outermost first. */
function reasons(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  // If multiple addresses were tried and all rejected the connection, Node.js's error has a code
  // but no message.
  return [error.message || (getErrorCode(error) ?? error.name), ...reasons(error.cause)];
}

function withoutPassword(databaseUrl: string): string {
  const url = URL.parse(databaseUrl);
  return url === null ? 'the given URL' : `${url.protocol}//${url.host}${url.pathname}`;
}

type Rest = Omit<
  FleetServerOptions,
  | 'host'
  | 'port'
  | 'tls'
  | 'allowedHosts'
  | 'allowedOrigins'
  | 'trustedProxies'
  | 'connectionLimits'
  | 'rateLimits'
>;

/**
 * Starts the server that a command line specifies.
 * @throws CommandError if the certificate or the address can't be used.
 */
async function startServer(command: ServeCommand, rest: Rest): Promise<FleetServer> {
  const { host, port, allowedOrigins, trustedProxies, connectionLimits, rateLimits, mail } =
    command;
  const publicHost = URL.parse(mail.publicUrl ?? '')?.hostname;
  const allowedHosts = [...command.allowedHosts, ...(publicHost === undefined ? [] : [publicHost])];
  const tls = command.tls && (await readCertificate(command.tls));
  if (tls === undefined && !isLoopbackHost(host)) {
    rest.logger.warn('keys and data cross the network in plaintext: use --tls-cert', { host });
  }
  try {
    return await startFleetServer({
      ...rest,
      host,
      port,
      tls,
      allowedHosts,
      allowedOrigins,
      trustedProxies,
      connectionLimits,
      rateLimits,
    });
  } catch (error) {
    throw listenFailure(error, { host, port, hostOption: '--host', portOption: '--port' });
  }
}

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Waits for the first stop request, which is either a system signal or a call of `request`. */
export class StopRequest {
  private readonly requested = Promise.withResolvers<string>();
  private signalled = false;

  /** Starts listening for system signals. A second signal terminates the process immediately. */
  constructor() {
    for (const name of STOP_SIGNALS) {
      process.on(name, () => {
        if (this.signalled) process.exit(EXIT_FAILED);
        this.signalled = true;
        this.request(name);
      });
    }
  }

  /** Resolves with the reason to stop. */
  get reason(): Promise<string> {
    return this.requested.promise;
  }

  request(reason: string): void {
    this.requested.resolve(reason);
  }
}

/** Returns true if a service's version is older than this program's. */
function isOlder(running: string | undefined, own: string): boolean {
  const [there, here] = [parseSemanticVersion(running ?? ''), parseSemanticVersion(own)];
  return here !== undefined && (!there || compareSemanticVersions(there, here) < 0);
}
