import { CONNECTION_LIMITS, type ConnectionLimits } from '../server/connectionGuard';
import { usageError } from '../files/commandError';
import {
  CALLS_PER_SECOND,
  DEFAULT_CACHE_SIZE,
  DEMO_LOG_MEBIBYTES,
  type DemoMachinesMode,
  MEBIBYTE,
  type MailOptions,
  readConnectionLimits,
  readNatsUrl,
  readRoles,
  readCount,
  readDemoMachines,
  readHotReadingsDays,
  readLogLimits,
  type ObjectsOption,
  readMailOptions,
  readRateLimits,
  readObjectsOption,
  readTrainingOptions,
  readTrustedProxies,
  type TrainingOptions,
} from './serveOptions';
import {
  BACKUP_HELP,
  type BackupCommand,
  parseBackup,
  parseRestore,
  parseRotateSecretsKey,
  parseVerify,
  RESTORE_HELP,
  type RestoreCommand,
  ROTATE_SECRETS_KEY_HELP,
  type RotateSecretsKeyCommand,
  VERIFY_HELP,
  type VerifyCommand,
} from './backupOptions';
import type { CheckDatabaseCommand } from './databaseCheck';
import { SECRETS_KEY_FILE } from '../files/dataDirectoryLayout';
import {
  parseOptions,
  readDatabaseUrl,
  readSecretsKeyOption,
  SECRETS_KEY_OPTIONS,
  type SecretsKeyOption,
} from './commandOptions';
import { FREE_FAILURES } from '../auth/signInGuard';
import type { RateLimitOptions } from '../server/rateLimits';
import { isLoopbackHost } from '../server/requestGuard';
import type { NodeRole } from '../fleetService';
import { LOG_LIMITS, type LogLimits } from '../logs/logRetention';
import type { NatsServer } from '../logs/natsNotices';
import { isLogLevel, LOG_LEVELS, type LogLevel } from './jsonLineLogger';
import { parseSimulate, SIMULATE_HELP, type SimulateCommand } from './simulateOptions';

export interface ServeCommand {
  kind: 'serve';
  host: string;
  port: number;
  /** Data directory; if absent, the platform's default. */
  dataDirectory: string | undefined;
  databaseUrl: string | undefined;
  /** Bucket for contents; 'files' to stop using one; undefined for the data directory. */
  objects: ObjectsOption | 'files' | undefined;
  secretsKey: SecretsKeyOption;
  /** NATS server for notices between nodes; if absent, the database forwards them. */
  nats: NatsServer | undefined;
  /** Roles of this node among those that share a database; if absent, all. */
  roles: readonly NodeRole[] | undefined;
  demo: boolean;
  /** Behavior of the demo fleet's machines. */
  demoMachines: DemoMachinesMode;
  /** Retention limits for machine logs. */
  logLimits: LogLimits;
  /** Number of days after which readings are only in Parquet files; if absent, never. */
  hotReadingsDays: number | undefined;
  ephemeral: boolean;
  /** True to return the service that is already running on the data directory, rather than fail. */
  reuse: boolean;
  tls: { certificateFile: string; keyFile: string } | undefined;
  /** Address for MongoDB clients. If absent, the endpoint is disabled. */
  mongo: { host: string; port: number } | undefined;
  /** Address of the metrics. If absent, no metrics are collected. */
  metrics: { host: string; port: number } | undefined;
  allowedHosts: string[];
  allowedOrigins: string[];
  /** Addresses and networks of proxies whose `X-Forwarded-For` header is used. */
  trustedProxies: string[];
  connectionLimits: ConnectionLimits;
  rateLimits: RateLimitOptions;
  /** Number of failed sign-ins per key ID and address before attempts are throttled. */
  maxFailedSignIns: number;
  mail: MailOptions;
  training: TrainingOptions;
  idleTimeoutMs: number | undefined;
  /** Time between reporting that the service is stopping and closing its port. */
  shutdownDelayMs: number | undefined;
  logLevel: LogLevel;
}

export type Command =
  | ServeCommand
  | SimulateCommand
  | BackupCommand
  | RestoreCommand
  | RotateSecretsKeyCommand
  | VerifyCommand
  | CheckDatabaseCommand
  | { kind: 'help'; text: string }
  | { kind: 'version' };

export const HELP = `Usage: service serve [options]
       service simulate [options]    runs simulated machines; see simulate --help
       service backup [options]      backs up a fleet, even while it runs; see backup --help
       service restore [options]     restores a backup into an empty directory; see restore --help
       service verify [options]      compares records with stored contents; see verify --help
       service rotate-secrets-key    encrypts secrets with a new key; see rotate-secrets-key --help

Runs the fleet service. When it is ready, it prints one line of JSON to stdout:
{"url":"http://127.0.0.1:PORT","credentialsFile":"FILE"}. Logs go to stderr.

Storage
  --data DIR             data directory (default: the platform's data directory)
  --database-url URL     postgres://…, to store the fleet there (or set FLEETWRIGHT_DATABASE_URL)
  --objects s3://BUCKET/PREFIX
                         store images, files, and packages in a bucket instead of the data directory;
                         optionally with ?endpoint=URL&region=REGION&path-style=true. Credentials come
                         from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_PROFILE) or
                         the role of the computer. "files" returns to the data directory
  --objects-cache-size SIZE
                         size of the local copies of contents in a bucket (default: ${DEFAULT_CACHE_SIZE})
  --objects-public-endpoint URL
                         address of the S3 server for clients, such as https://s3.example.com. Clients
                         then download contents of at least 8 MiB directly from the bucket (default:
                         the service sends all contents)
  --secrets-key-file FILE
                         file with the key that encrypts the secrets of locations and parts (default:
                         ${SECRETS_KEY_FILE} in the data directory, created at the first start)
  --secrets-key-command PROGRAM
                         a program without arguments that prints the key, for example one that reads it
                         from a vault. FLEETWRIGHT_SECRETS_KEY holds the key itself
  --ephemeral            keep all data in memory; nothing is saved
  --demo                 create a demo fleet
  --demo-machines MODE   alive (default): demo machines log, capture data, and restart on request;
                         still: they only report that they are online
  --hot-readings-days N  move readings from the database to Parquet files when they have been stored for
                         more than N days (default: never). Calls and queries return the same results,
                         and the files are the only copy. Services in PostgreSQL need --objects for it.
                         Earlier versions can't use the data anymore
  --keep-logs-days DAYS  delete log lines that are older (default: ${LOG_LIMITS.days})
  --keep-logs-mib MIB    delete the oldest log lines above this size (default: ${LOG_LIMITS.bytes / MEBIBYTE}; with --demo:
                         ${DEMO_LOG_MEBIBYTES})

Network
  --host HOST            host name or IP address to listen on (default: 127.0.0.1)
  --port PORT            port to listen on (default: 0, any free one)
  --tls-cert FILE        certificate (PEM); needs --tls-key
  --tls-key FILE         private key (PEM); needs --tls-cert
  --allow-host NAME      another host name that clients can use; repeatable. They can always use an
                         IP address
  --allow-origin ORIGIN  an origin whose web pages can call the service; repeatable
  --trusted-proxy CIDR   address or network of a proxy, such as 10.0.0.0/8; repeatable. From it, the
                         client's address is the last one in X-Forwarded-For that isn't a trusted
                         proxy, for limits per address and for the log
  --max-connections N    maximum number of open connections (default: ${CONNECTION_LIMITS.total})
  --max-connections-per-address N
                         maximum number of connections from one address (default: ${CONNECTION_LIMITS.perAddress})
  --rate-limit-per-key N maximum number of calls per second with one API key or of one machine, and ten
                         times as many in a burst; 0: no limit (default: ${CALLS_PER_SECOND.perKey}, or 0 if --host is only
                         reachable from this computer)
  --rate-limit-per-address N
                         the same for all calls from one address (default: ${CALLS_PER_SECOND.perAddress}, or 0)
  --max-failed-sign-ins N
                         failed sign-ins with one key ID from one address, after which only one attempt
                         per second is checked; from one address in all, ten times as many (default: ${FREE_FAILURES})

MongoDB endpoint for the readings of an organization
  --mongo-host HOST      name or address to listen on (default: that of --host)
  --mongo-port PORT      port to listen on (default: 0, any free one). Without these two options it is
                         on when --host is only reachable from this computer, and off otherwise

Monitoring
  --metrics-port PORT    serve metrics for Prometheus at http://127.0.0.1:PORT/metrics, without a key
                         (0: any free port, which is in the log line "ready")
  --metrics-host HOST    name or address for the metrics to listen on (default: 127.0.0.1)
                         OTEL_EXPORTER_OTLP_ENDPOINT and the other environment variables of OpenTelemetry
                         send traces of calls to a collector, over HTTP in JSON

Email: invitations and sign-in links
  --smtp-url URL         smtp(s)://user:password@host:port, the mail server; with FLEETWRIGHT_SMTP_URL
                         instead, other users of this computer can't see it. Without a mail server,
                         each message is saved as a file in the data directory's outbox
  --mail-from ADDRESS    sender address (default: no-reply at the public host)
  --public-url URL       address of the service for browsers, such as https://fleet.example.com, for
                         links in emails (default: the address it listens on)

Training
  --allow-custom-training
                         run training scripts from the registry: Python programs that run on this
                         computer with the permissions of the service. Without it, only the service's
                         own training is available
  --training-jobs N      maximum number of training jobs that run at the same time (default: 1)

Several nodes that share a database and a bucket
  --role ROLE            work of this node, repeatable or separated by commas: api (handle calls, which
                         every node does), query (also run queries), train (also run training jobs),
                         or all (default)
  --nats-url URL         nats://user:password@host:port, or tls://…; nodes notify each other of new log
                         lines through this NATS server instead of the database, which is faster
                         with many nodes (or set FLEETWRIGHT_NATS_URL)

Lifecycle
  --reuse                if a service is already running on this data directory, print its line and exit
  --until-unused SECONDS exit after this many seconds with no active clients
  --shutdown-delay SECONDS
                         on SIGTERM, report "not ready" and serve for this time before closing, so that
                         load balancers switch to another service (default: 0)

  --log-level LEVEL      ${LOG_LEVELS.join(', ')} (default: info)
  --help, --version
`;

const OPTIONS = {
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '0' },
  data: { type: 'string' },
  'database-url': { type: 'string' },
  objects: { type: 'string' },
  'objects-cache-size': { type: 'string' },
  'objects-public-endpoint': { type: 'string' },
  ...SECRETS_KEY_OPTIONS,
  demo: { type: 'boolean', default: false },
  'demo-machines': { type: 'string', default: 'alive' },
  'hot-readings-days': { type: 'string' },
  'keep-logs-days': { type: 'string' },
  'keep-logs-mib': { type: 'string' },
  ephemeral: { type: 'boolean', default: false },
  reuse: { type: 'boolean', default: false },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  'allow-origin': { type: 'string', multiple: true },
  'trusted-proxy': { type: 'string', multiple: true },
  'max-connections': { type: 'string' },
  'max-connections-per-address': { type: 'string' },
  'rate-limit-per-key': { type: 'string' },
  'rate-limit-per-address': { type: 'string' },
  'max-failed-sign-ins': { type: 'string' },
  'mongo-host': { type: 'string' },
  'mongo-port': { type: 'string' },
  'metrics-host': { type: 'string' },
  'metrics-port': { type: 'string' },
  'smtp-url': { type: 'string' },
  'mail-from': { type: 'string' },
  'public-url': { type: 'string' },
  'allow-custom-training': { type: 'boolean', default: false },
  'training-jobs': { type: 'string' },
  role: { type: 'string', multiple: true },
  'nats-url': { type: 'string' },
  'until-unused': { type: 'string' },
  'shutdown-delay': { type: 'string' },
  'log-level': { type: 'string', default: 'info' },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const;

const NEVER_EMPTY = [
  ...(['host', 'data', 'database-url', 'tls-cert', 'tls-key'] as const),
  ...(['objects', 'mongo-host', 'metrics-host', 'smtp-url', 'mail-from', 'public-url'] as const),
  ...(['nats-url'] as const),
];

const MAX_PORT = 65535;
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/i;
/** Maximum delay for a Node.js timer. */
const MAX_WAIT_MS = 2 ** 31 - 1;
const HOST_NAME = /^[^\s/:@]+$|^\[?[0-9a-f:.]+\]?$/i;

/**
 * Parses the command line.
 * @param args arguments after the script name.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function parseCommandLine(args: string[], environment: NodeJS.ProcessEnv): Command {
  if (args[0] === 'simulate') {
    return parseSimulate(args.slice(1)) ?? { kind: 'help', text: SIMULATE_HELP };
  }
  if (args[0] === 'backup') {
    return parseBackup(args.slice(1), environment) ?? { kind: 'help', text: BACKUP_HELP };
  }
  if (args[0] === 'restore') {
    return parseRestore(args.slice(1), environment) ?? { kind: 'help', text: RESTORE_HELP };
  }
  if (args[0] === 'verify') {
    return parseVerify(args.slice(1), environment) ?? { kind: 'help', text: VERIFY_HELP };
  }
  if (args[0] === 'rotate-secrets-key') {
    return (
      parseRotateSecretsKey(args.slice(1), environment) ?? {
        kind: 'help',
        text: ROTATE_SECRETS_KEY_HELP,
      }
    );
  }
  const [first, path] = args;
  if (first === 'check-database' && path !== undefined) return { kind: first, path };
  const { values, positionals } = parseOptions({ args, options: OPTIONS, allowPositionals: true });
  if (values.help) return { kind: 'help', text: HELP };
  if (values.version) return { kind: 'version' };
  const [name, ...surplus] = positionals;
  if (name !== 'serve' || surplus.length > 0) {
    throw usageError(
      name === undefined
        ? 'a command is missing: serve, simulate, backup, restore, verify, or rotate-secrets-key'
        : `unknown command "${[name === 'serve' ? surplus[0] : name].join('')}"`,
    );
  }
  // An empty option, for example from an unset variable in a script, would otherwise mean the
  // working directory or all addresses.
  const empty = NEVER_EMPTY.find((option) => values[option] === '');
  if (empty !== undefined) throw usageError(`--${empty} must not be empty`);
  const databaseUrl = readDatabaseUrl(values['database-url'], environment);
  if (values.ephemeral && (values.data !== undefined || values['database-url'] !== undefined)) {
    throw usageError(
      "--ephemeral stores nothing, so it can't be combined with --data or --database-url",
    );
  }
  if (values.ephemeral && values.objects !== undefined) {
    throw usageError("--ephemeral stores nothing, so it can't be combined with --objects");
  }
  const natsUrl = values['nats-url'] ?? (environment.FLEETWRIGHT_NATS_URL || undefined);
  const roles = readRoles(values.role);
  const nodeOption = values['nats-url'] === undefined ? values.role && '--role' : '--nats-url';
  if (nodeOption !== undefined && (values.ephemeral || databaseUrl === undefined)) {
    throw usageError(`${nodeOption} needs --database-url, because nodes share a database`);
  }
  if (values.ephemeral && values.reuse) {
    throw usageError('--reuse needs a data directory, but --ephemeral has none');
  }
  const objects = readObjectsOption(
    values.objects,
    values['objects-cache-size'],
    values['objects-public-endpoint'],
  );
  const { ephemeral } = values;
  const hotReadingsDays = readHotReadingsDays(values['hot-readings-days'], {
    ephemeral,
    databaseUrl,
    objects,
  });
  return {
    kind: 'serve',
    host: values.host,
    port: wholeNumber('--port', values.port, MAX_PORT),
    dataDirectory: values.data,
    databaseUrl: values.ephemeral ? undefined : databaseUrl,
    objects,
    secretsKey: readSecretsKeyOption(values, environment),
    nats: natsUrl === undefined ? undefined : readNatsUrl(natsUrl),
    roles,
    demo: values.demo,
    demoMachines: readDemoMachines(values['demo-machines']),
    logLimits: readLogLimits(values['keep-logs-days'], values['keep-logs-mib'], values.demo),
    hotReadingsDays,
    ephemeral,
    reuse: values.reuse,
    tls: tlsFiles(values['tls-cert'], values['tls-key']),
    mongo: mongoAddress(values.host, values['mongo-host'], values['mongo-port']),
    metrics: metricsAddress(values['metrics-host'], values['metrics-port']),
    allowedHosts: allMatching('--allow-host', values['allow-host'] ?? [], HOST_NAME, 'a host name'),
    allowedOrigins: allMatching(
      '--allow-origin',
      values['allow-origin'] ?? [],
      ORIGIN,
      'an origin such as https://app.example.com',
    ),
    trustedProxies: readTrustedProxies(values['trusted-proxy'] ?? []),
    connectionLimits: readConnectionLimits(
      values['max-connections'],
      values['max-connections-per-address'],
    ),
    rateLimits: readRateLimits(
      values['rate-limit-per-key'],
      values['rate-limit-per-address'],
      isLoopbackHost(values.host),
    ),
    maxFailedSignIns: readCount(
      '--max-failed-sign-ins',
      values['max-failed-sign-ins'],
      FREE_FAILURES,
    ),
    mail: readMailOptions({
      smtpUrl: values['smtp-url'] ?? (environment.FLEETWRIGHT_SMTP_URL || undefined),
      from: values['mail-from'],
      publicUrl: values['public-url'],
    }),
    training: readTrainingOptions(values['allow-custom-training'], values['training-jobs']),
    idleTimeoutMs: milliseconds('--until-unused', values['until-unused']),
    shutdownDelayMs:
      values['shutdown-delay'] === '0'
        ? undefined
        : milliseconds('--shutdown-delay', values['shutdown-delay']),
    logLevel: logLevel(values['log-level']),
  };
}

function wholeNumber(option: string, text: string, highest: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > highest) {
    throw usageError(`${option} must be a number from 0 to ${highest}, not "${text}"`);
  }
  return value;
}

function milliseconds(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds === 0) {
    throw usageError(`${option} must be a number of seconds greater than 0, not "${text}"`);
  }
  if (seconds * 1000 > MAX_WAIT_MS) {
    const longest = Math.floor(MAX_WAIT_MS / 1000);
    throw usageError(`${option} must be at most ${longest} seconds, not "${text}"`);
  }
  return seconds * 1000;
}

function tlsFiles(certificateFile?: string, keyFile?: string): ServeCommand['tls'] {
  if (certificateFile === undefined && keyFile === undefined) return undefined;
  if (certificateFile === undefined || keyFile === undefined) {
    throw usageError('--tls-cert and --tls-key must be used together');
  }
  return { certificateFile, keyFile };
}

function mongoAddress(
  serviceHost: string,
  host: string | undefined,
  port: string | undefined,
): ServeCommand['mongo'] {
  const isRequested = host !== undefined || port !== undefined;
  // The endpoint is protected only by a password, so it is never exposed to a network unless
  // explicitly requested.
  return isRequested || isLoopbackHost(serviceHost)
    ? { host: host ?? serviceHost, port: wholeNumber('--mongo-port', port ?? '0', MAX_PORT) }
    : undefined;
}

function metricsAddress(
  host: string | undefined,
  port: string | undefined,
): ServeCommand['metrics'] {
  if (port === undefined && host !== undefined) {
    throw usageError('--metrics-host needs --metrics-port');
  }
  return port === undefined
    ? undefined
    : { host: host ?? '127.0.0.1', port: wholeNumber('--metrics-port', port, MAX_PORT) };
}

function allMatching(option: string, texts: string[], pattern: RegExp, what: string): string[] {
  const wrong = texts.find((text) => !pattern.test(text));
  if (wrong !== undefined) throw usageError(`${option} must be ${what}, not "${wrong}"`);
  return texts;
}

function logLevel(text: string): LogLevel {
  if (!isLogLevel(text)) {
    throw usageError(`--log-level must be one of ${LOG_LEVELS.join(', ')}, not "${text}"`);
  }
  return text;
}
