import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rm } from 'node:fs/promises';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { CommandError } from '../files/commandError';
import { explainingFailures } from './dataDirectory';
import { LOCK_FILE, SERVICE_FILE } from '../files/dataDirectoryLayout';
import { readJsonObject, writePrivateJson } from '../files/privateFile';
import { getRequestPath, type HttpRoute, rejectRequest } from '../server/http';

export type Claim =
  | { kind: 'owned'; lock: DirectoryLock }
  | { kind: 'running'; service: RunningService };

/**
 * Time in milliseconds for another service to start or stop. Even a large store on a slow computer
 * needs less. The extension waits a minute for the service, and can show an earlier error.
 */
const CLAIM_TIMEOUT_MS = 50_000;
const RETRY_MS = 100;

/**
 * Claims a data directory for this process, or finds the service that uses it. If that service is
 * starting or stopping, waits until it is running or has stopped, so that the result is reliable.
 * @throws CommandError if the directory isn't writable or the process that uses it doesn't respond.
 */
export async function claimDirectory(
  directory: string,
  timeoutMs = CLAIM_TIMEOUT_MS,
): Promise<Claim> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const lock = explainingFailures(directory, () => DirectoryLock.tryAcquire(directory));
    if (lock !== undefined) return { kind: 'owned', lock };
    const service = await findRunningService(directory);
    if (service !== undefined) return { kind: 'running', service };
    if (performance.now() > end) {
      const pid = (await readServiceFile(directory))?.pid;
      throw new CommandError(
        pid === undefined
          ? `the data directory ${directory} is in use by a process that doesn't respond; ` +
              'stop it or use another directory with --data DIR'
          : `the data directory ${directory} is in use by process ${pid}, which is stopping or doesn't respond; ` +
              'wait, stop it, or use another directory with --data DIR',
      );
    }
    await sleep(RETRY_MS);
  }
}

/** Returns the error for a directory that another service uses. */
export function directoryInUse(directory: string, { pid, url }: RunningService): CommandError {
  return new CommandError(
    `the data directory ${directory} is in use by process ${pid} at ${url}; ` +
      'use that service, stop it, or use another directory with --data DIR',
  );
}

/** SQLite's result code for a file that another process has locked. */
const SQLITE_BUSY = 5;

/**
 * Exclusive right to use a data directory, implemented as an exclusive lock on an empty SQLite
 * database. On Linux, macOS, and Windows, the operating system releases the lock whenever the
 * process exits, regardless of the cause. Therefore, locks never become stale and no process IDs
 * have to be checked. If two processes start at the same time, exactly one of them gets the lock.
 * The file isn't deleted, and its existence alone has no meaning.
 */
export class DirectoryLock implements Disposable {
  private constructor(private readonly database: DatabaseSync) {}

  /**
   * Acquires the lock, or returns undefined if another process has it.
   * @throws if the directory isn't writable.
   */
  static tryAcquire(directory: string): DirectoryLock | undefined {
    const database = new DatabaseSync(join(directory, LOCK_FILE), { timeout: 0 });
    try {
      database.exec('begin exclusive');
      return new DirectoryLock(database);
    } catch (error) {
      database.close();
      if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.database.close();
  }
}

/** Information about a running service. It is stored in the data directory for other processes. */
export interface ServiceFile {
  pid: number;
  /** Absent while the service is starting. */
  url?: string | undefined;
  /**
   * Secret that proves that the server at the URL is the service that wrote this file. The secret
   * itself is never sent.
   */
  proofKey: string;
  /** True if the service runs training scripts; absent in files written by older versions. */
  allowsScripts?: boolean | undefined;
  /** Version of the service's program; absent in files written by older versions. */
  version?: string | undefined;
}

/**
 * Reads the service file. The file might be left over from a process that has exited, so the caller
 * must verify its contents.
 */
export async function readServiceFile(directory: string): Promise<ServiceFile | undefined> {
  const file = (await readJsonObject(join(directory, SERVICE_FILE))) ?? {};
  const { pid, url, proofKey, version } = file;
  if (typeof pid !== 'number' || typeof proofKey !== 'string') return undefined;
  return {
    pid,
    proofKey,
    url: typeof url === 'string' ? url : undefined,
    version: typeof version === 'string' ? version : undefined,
  };
}

/** Writes the service file. The caller must hold the lock on the directory. */
export async function writeServiceFile(directory: string, file: ServiceFile): Promise<void> {
  await writePrivateJson(join(directory, SERVICE_FILE), file);
}

export async function removeServiceFile(directory: string): Promise<void> {
  await rm(join(directory, SERVICE_FILE), { force: true });
}

const IDENTITY_PATH = '/.fleetwright/identity';
const CHALLENGE = /^[0-9a-f]{32}$/;
const CHALLENGE_BYTES = 16;
const ANSWER_TIMEOUT_MS = 2_000;

/** Service that has just responded to an identity challenge. */
interface RunningService {
  pid: number;
  url: string;
  /** Version of its program; undefined for versions that don't report it. */
  version: string | undefined;
}

/** Returns a new key for `identityRoute`. Each process has its own key. */
export function newProofKey(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Returns the route `GET /.fleetwright/identity?challenge=<32 hex digits>`, which responds with the
 * HMAC-SHA-256 of the challenge, computed with the proof key. This allows anyone who can read the
 * data directory to distinguish the service from another program that now uses its port.
 */
export function identityRoute(proofKey: string): HttpRoute {
  return (request, response) => {
    if (getRequestPath(request) !== IDENTITY_PATH) return false;
    const challenge = /[?&]challenge=([^&]*)/.exec(request.url ?? '')?.[1] ?? '';
    if (!CHALLENGE.test(challenge)) {
      rejectRequest(request, response, 400, 'A challenge with 32 hex digits is missing.');
    } else {
      response.end(computeProof(challenge, proofKey).toString('hex'));
    }
    return true;
  };
}

/**
 * Returns the service that is running on a data directory. The service must have a service file and
 * must respond.
 */
export async function findRunningService(directory: string): Promise<RunningService | undefined> {
  const file = await readServiceFile(directory);
  if (file?.url === undefined) return undefined;
  const challenge = randomBytes(CHALLENGE_BYTES).toString('hex');
  const expected = computeProof(challenge, file.proofKey);
  const proof = Buffer.from(await requestProof(file.url, challenge), 'hex');
  return proof.byteLength === expected.byteLength && timingSafeEqual(proof, expected)
    ? { pid: file.pid, url: file.url, version: file.version }
    : undefined;
}

function computeProof(challenge: string, proofKey: string): Buffer {
  return createHmac('sha256', proofKey).update(challenge).digest();
}

/**
 * Returns the service's response to a challenge; an empty string if the response is missing or
 * malformed.
 */
function requestProof(url: string, challenge: string): Promise<string> {
  const address = `${url}${IDENTITY_PATH}?challenge=${challenge}`;
  return new Promise((resolve) => {
    const resolveEmpty = (): void => {
      resolve('');
    };
    const options = {
      agent: false,
      // Another program can have the port now, and send a response that never ends.
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      // The proof identifies the server, and no secret is sent. The certificate can therefore be
      // self-signed.
      rejectUnauthorized: false,
    };
    const get = url.startsWith('https:') ? getHttps : getHttp;
    const request = get(address, options, (response) => {
      text(response).then(resolve, resolveEmpty);
    });
    request.once('error', resolveEmpty);
  });
}
