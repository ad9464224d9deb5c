import { isIP } from 'node:net';
import { getOwn } from '../../base/getOwn';
import { parseSmtpUrl, type SmtpServer } from '../mail/mailer';
import { usageError } from '../files/commandError';
import type { NodeRole } from '../fleetService';
import type { LogLimits } from '../logs/logRetention';
import type { NatsServer } from '../logs/natsNotices';
import type { RateLimitOptions } from '../server/rateLimits';
import type { ObjectsLocation } from '../objects/objectBucket';
import { readObjectsUrl } from './commandOptions';
import { isNetwork } from '../server/trustedProxies';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../server/connectionGuard';

/** Settings for messages to users. */
export interface MailOptions {
  /** SMTP server. If absent, messages are written to files. */
  smtp: SmtpServer | undefined;
  /** Sender: `Name <address>` or only an address. */
  from: string;
  /**
   * Public URL, without a trailing slash. If absent, the URL that the service listens on is used.
   */
  publicUrl: string | undefined;
}

interface MailTexts {
  smtpUrl: string | undefined;
  from: string | undefined;
  publicUrl: string | undefined;
}

const SENDER_NAME = 'Fleetwright';
const SENDER = /^([^<>"\p{Cc}]+ )?<?[^\s<>@",]+@[^\s<>@",]+>?$/u;

/**
 * Parses the command line's mail options.
 * @throws CommandError (usage) that names the invalid argument but never contains a password.
 */
export function readMailOptions({ smtpUrl, from, publicUrl }: MailTexts): MailOptions {
  const smtp = smtpUrl === undefined ? undefined : parseSmtpUrl(smtpUrl);
  if (smtpUrl !== undefined && smtp === undefined) {
    // The input can contain a password, so the error doesn't quote it.
    throw usageError('--smtp-url must be smtp://user:password@host:port, or smtps:// for TLS');
  }
  const url = publicUrl === undefined ? undefined : readPublicUrl(publicUrl);
  const sender = from ?? `${SENDER_NAME} <no-reply@${senderHost(url)}>`;
  if (!SENDER.test(sender)) {
    throw usageError(
      `--mail-from must be an address, optionally with a name: Fleet <fleet@example.com>, not "${sender}"`,
    );
  }
  return { smtp, from: sender, publicUrl: url?.origin };
}

function readPublicUrl(text: string): URL {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!isHttp || `${url.origin}/` !== url.href) {
    throw usageError(
      `--public-url must be an address without a path, such as https://fleet.example.com, not "${text}"`,
    );
  }
  return url;
}

/**
 * Returns the default sender's domain. The domain is always a host name, because IP addresses are
 * unusual in email addresses.
 */
function senderHost(url: URL | undefined): string {
  const host = url?.hostname ?? '';
  return host === '' || host.startsWith('[') || isIP(host) !== 0 ? 'localhost' : host;
}

export const MEBIBYTE = 1024 * 1024;
/** Upper limits of a hundred years and one pebibyte. Larger values are assumed to be mistakes. */
const MAX_DAYS = 36_500;
const MAX_MEBIBYTES = 1024 ** 3;
/** Default for the demo fleet, whose generated logs aren't worth retaining. */
export const DEMO_LOG_MEBIBYTES = 256;

const DEMO_MACHINES = ['alive', 'still'] as const;

/** Behavior of the demo fleet's machines. */
export type DemoMachinesMode = (typeof DEMO_MACHINES)[number];

/** @throws CommandError (usage) if the string is not a valid mode. */
export function readDemoMachines(text: string): DemoMachinesMode {
  const mode = DEMO_MACHINES.find((one) => one === text);
  if (mode === undefined) {
    throw usageError(`--demo-machines must be ${DEMO_MACHINES.join(' or ')}, not "${text}"`);
  }
  return mode;
}

/**
 * Parses the retention limits for machine logs. Missing limits get their default values.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function readLogLimits(
  days: string | undefined,
  mebibytes: string | undefined,
  isDemo: boolean,
): LogLimits {
  const usual = isDemo ? String(DEMO_LOG_MEBIBYTES) : undefined;
  const size = positive('--keep-logs-mib', mebibytes ?? usual, MAX_MEBIBYTES);
  return {
    days: positive('--keep-logs-days', days, MAX_DAYS),
    bytes: size === undefined ? undefined : Math.floor(size * MEBIBYTE),
  };
}

/**
 * Parses the number of days after which readings leave the records. Services that share a database
 * share the files only if they are in a bucket.
 * @throws CommandError (usage)
 */
export function readHotReadingsDays(
  text: string | undefined,
  storage: {
    ephemeral: boolean;
    databaseUrl: string | undefined;
    objects: ObjectsOption | 'files' | undefined;
  },
): number | undefined {
  if (text === undefined) return undefined;
  const days = Number(text);
  if (!/^\d+$/.test(text) || days === 0 || days > MAX_DAYS) {
    throw usageError(
      `--hot-readings-days must be a number from 1 to ${String(MAX_DAYS)}, not "${text}"`,
    );
  }
  if (storage.ephemeral) {
    throw usageError(
      "--ephemeral stores nothing, so it can't be combined with --hot-readings-days",
    );
  }
  if (storage.databaseUrl !== undefined && typeof storage.objects !== 'object') {
    throw usageError(
      '--hot-readings-days with --database-url needs --objects s3://…, because all services that share the ' +
        'database must be able to read the files',
    );
  }
  return days;
}

function positive(option: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value === 0 || value > max) {
    throw usageError(
      `${option} must be a number greater than 0 and at most ${String(max)}, not "${text}"`,
    );
  }
  return value;
}

/** Maximum number of concurrent jobs. Each job requires a processor and a lot of memory. */
const MAX_JOBS = 16;

/** Settings for training jobs. */
export interface TrainingOptions {
  /**
   * True if registry scripts can run. Scripts can do anything that the service has permission to
   * do.
   */
  allowsScripts: boolean;
  /** Number of concurrent jobs. If absent, the default is used. */
  jobs: number | undefined;
}

/**
 * Parses the command line's training options.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function readTrainingOptions(
  allowsScripts: boolean,
  jobs: string | undefined,
): TrainingOptions {
  if (jobs === undefined) return { allowsScripts, jobs: undefined };
  const count = Number(jobs);
  if (!/^\d+$/.test(jobs) || count === 0 || count > MAX_JOBS) {
    throw usageError(
      `--training-jobs must be a number from 1 to ${String(MAX_JOBS)}, not "${jobs}"`,
    );
  }
  return { allowsScripts, jobs: count };
}

/** Defaults for a service in a network, which are far above what the extension or a machine needs. */
export const CALLS_PER_SECOND = { perKey: 500, perAddress: 5_000 } as const;
const NO_LIMIT = '0';

/**
 * Parses the limits on calls per second. By default, a service that is only reachable from this
 * computer has none.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function readRateLimits(
  perKey: string | undefined,
  perAddress: string | undefined,
  isLocal: boolean,
): RateLimitOptions {
  const read = (option: string, text: string | undefined, usual: number): number | undefined =>
    (text ?? (isLocal ? NO_LIMIT : undefined)) === NO_LIMIT
      ? undefined
      : readCount(option, text, usual, `, or ${NO_LIMIT} for no limit`);
  return {
    perKey: read('--rate-limit-per-key', perKey, CALLS_PER_SECOND.perKey),
    perAddress: read('--rate-limit-per-address', perAddress, CALLS_PER_SECOND.perAddress),
  };
}

const NATS_PORT = '4222';

/**
 * Parses the URL of a NATS server.
 * @throws CommandError (usage), which never contains a password.
 */
export function readNatsUrl(text: string): NatsServer {
  const url = URL.parse(text);
  const isNats = url?.protocol === 'nats:' || url?.protocol === 'tls:';
  const credentials = url && decodeCredentials(url);
  if (!isNats || url.hostname === '' || !['', '/'].includes(url.pathname) || !credentials) {
    // The input can contain a password, so the error doesn't quote it.
    throw usageError(
      '--nats-url must be nats://user:password@host:port or nats://token@host:port, or tls:// for TLS, ' +
        'with % in a user, password, or token written as %25',
    );
  }
  const [name, password] = credentials;
  return {
    host: `${url.hostname}:${url.port || NATS_PORT}`,
    usesTls: url.protocol === 'tls:',
    user: password === undefined ? undefined : name,
    password,
    token: password === undefined ? name : undefined,
  };
}

/** Returns undefined if a percent sign doesn't start an escape sequence. */
function decodeCredentials({ username, password }: URL): (string | undefined)[] | undefined {
  try {
    return [username, password].map((text) => decodeURIComponent(text) || undefined);
  } catch {
    return undefined;
  }
}

const ROLES: Readonly<Record<string, readonly NodeRole[]>> = {
  all: ['query', 'train'],
  api: [],
  query: ['query'],
  train: ['train'],
};

/**
 * Parses the roles of a node, each of which can be a list.
 * @returns undefined for all roles.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function readRoles(texts: readonly string[] | undefined): readonly NodeRole[] | undefined {
  const roles = texts
    ?.flatMap((text) => text.split(','))
    .map((name) => {
      const role = getOwn(ROLES, name);
      if (role === undefined) {
        throw usageError(
          `--role must be ${Object.keys(ROLES).join(', ')}, or a list, not "${name}"`,
        );
      }
      return role;
    });
  return roles && [...new Set(roles.flat())];
}

const CACHE_SIZE = /^(\d+(?:\.\d+)?)(MiB|GiB)$/i;
export const DEFAULT_CACHE_SIZE = '10GiB';

/** Bucket for contents, and the size of its local cache in bytes. */
export interface ObjectsOption {
  location: ObjectsLocation;
  cacheBytes: number;
  /** URL at which clients reach the server; undefined if they can't. */
  publicEndpoint: string | undefined;
}

/**
 * Parses the options for a bucket.
 * @returns 'files' if contents are no longer in a bucket; undefined without a bucket.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function readObjectsOption(
  url: string | undefined,
  cacheSize: string | undefined,
  publicEndpoint: string | undefined,
): ObjectsOption | 'files' | undefined {
  if (url === undefined || url === 'files') {
    if (cacheSize !== undefined) throw usageError('--objects-cache-size needs --objects s3://…');
    if (publicEndpoint !== undefined) {
      throw usageError('--objects-public-endpoint needs --objects s3://…');
    }
    return url;
  }
  const [, number, unit = ''] = CACHE_SIZE.exec(cacheSize ?? DEFAULT_CACHE_SIZE) ?? [];
  const mebibytes = Number(number) * (unit.toLowerCase() === 'gib' ? 1024 : 1);
  if (number === undefined || mebibytes < 1 || mebibytes > MAX_MEBIBYTES) {
    throw usageError(
      `--objects-cache-size must be a size such as 500MiB or ${DEFAULT_CACHE_SIZE}, not "${String(cacheSize)}"`,
    );
  }
  return {
    location: readObjectsUrl(url),
    cacheBytes: Math.floor(mebibytes * MEBIBYTE),
    publicEndpoint: publicEndpoint === undefined ? undefined : readPublicEndpoint(publicEndpoint),
  };
}

/** Presigned URLs are as secret as the contents, so they require TLS, as the extension does. */
function readPublicEndpoint(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && `${url.origin}/` === url.href) return url.origin;
  // The input can contain a password, so the error doesn't quote it.
  throw usageError(
    '--objects-public-endpoint must be the address of the S3 server for clients, with https and without a path, ' +
      'such as https://s3.example.com',
  );
}

/**
 * Validates the addresses and networks of proxies.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function readTrustedProxies(networks: string[]): string[] {
  const invalid = networks.find((text) => !isNetwork(text));
  if (invalid !== undefined) {
    throw usageError(
      `--trusted-proxy must be an IP address or a network such as 10.0.0.0/8, not "${invalid}"`,
    );
  }
  return networks;
}

const MAX_CONNECTIONS = 1_000_000;

/**
 * Parses the connection limits. Missing limits get their default values.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function readConnectionLimits(
  total: string | undefined,
  perAddress: string | undefined,
): ConnectionLimits {
  const all = readCount('--max-connections', total, CONNECTION_LIMITS.total);
  const usual = Math.min(all, CONNECTION_LIMITS.perAddress);
  return { total: all, perAddress: readCount('--max-connections-per-address', perAddress, usual) };
}

/**
 * Parses a limit. A missing limit gets its default value.
 * @param alternative other value that the option accepts, for the error
 * @throws CommandError (usage) that names the invalid argument.
 */
export function readCount(
  option: string,
  text: string | undefined,
  usual: number,
  alternative = '',
): number {
  if (text === undefined) return usual;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count === 0 || count > MAX_CONNECTIONS) {
    throw usageError(
      `${option} must be a number from 1 to ${MAX_CONNECTIONS}${alternative}, not "${text}"`,
    );
  }
  return count;
}
