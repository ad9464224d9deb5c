import { isMainThread } from 'node:worker_threads';
import { Code, ConnectError } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { join, resolve } from 'node:path';
import { version } from '../../package.json';
import { backUp, restore, verify } from './process/backup';
import { CommandError, EXIT_FAILED } from './files/commandError';
import { type Command, parseCommandLine } from './process/commandLine';
import { checkDatabase } from './process/databaseCheck';
import { JsonLineLogger } from './process/jsonLineLogger';
import { CallContext } from './server/callIdentity';
import { systemClock } from '../base/clock';
import { serve, StopRequest } from './process/serve';
import { watchProcess } from './processes/processGuard';
import { simulateFleet } from '../simulate/machines/simulateFleet';
import type { OpenTransport } from '../simulate/fleet/fleetMachines';
import { credentialsPath, readFleetCredentials } from './process/credentialsFile';
import { getDefaultDataDirectory } from './process/dataDirectory';
import type { SimulateCommand } from './process/simulateOptions';
import { exists } from './backup/backupFolder';
import { newSecretsKey } from './store/secrets';
import { SecretsKeyError, SecretsKeyFile } from './secrets/secretsKeySource';
import { replaceSecrets, unlockSecrets } from './secrets/unlockSecrets';
import { openPostgresStore, openSqliteStore } from './store/openStore';
import type { Store } from './store/store';
import { isDatabaseDamaged } from './store/storeErrors';
import type { RotateSecretsKeyCommand } from './process/backupOptions';
import { claimDirectory, directoryInUse } from './process/claimDirectory';
import { damagedDatabaseError } from './process/databaseState';
import { DATABASE_FILE } from './files/dataDirectoryLayout';
import { openSecretsKey } from './process/commandOptions';

/**
 * Runs simulated machines until the process receives a signal or the specified time has elapsed.
 * @param say prints a status message.
 * @throws CommandError for problems that the user can fix.
 */
async function simulate(command: SimulateCommand, say: (sentence: string) => void): Promise<void> {
  const { pace, machines, seed, seconds } = command;
  const credentials = await readFleetCredentials(
    command.credentialsFile ??
      credentialsPath(
        command.dataDirectory ?? getDefaultDataDirectory(process.platform, process.env),
      ),
  );
  const url = command.url ?? credentials.url;
  const sessionManager = new Http2SessionManager(url);
  const open: OpenTransport = (interceptors) =>
    createGrpcTransport({ baseUrl: url, sessionManager, interceptors });
  const stopped = new AbortController();
  const stop = new StopRequest();
  void stop.reason.then(() => {
    stopped.abort();
  });
  const timer =
    seconds === undefined
      ? undefined
      : setTimeout(() => {
          stopped.abort();
        }, seconds * 1000);
  say(`simulating up to ${String(machines)} machines at ${url}; press Ctrl+C to stop`);
  try {
    await simulateFleet({
      open,
      pace,
      machines,
      seed,
      report: say,
      signal: stopped.signal,
      key: { id: credentials.apiKeyId, key: credentials.apiKey },
      organizationId: credentials.organizationId,
    });
  } catch (error) {
    if (!stopped.signal.aborted) throw toCommandError(error, url);
  } finally {
    clearTimeout(timer);
    sessionManager.abort();
  }
}

function toCommandError(error: unknown, url: string): unknown {
  if (error instanceof ConnectError) {
    const { code, rawMessage } = error;
    return new CommandError(
      `${url} rejected the machines (${Code[code]}: ${rawMessage}); check that the service is running ` +
        'and that the key is of an owner',
      undefined,
      { cause: error },
    );
  }
  return error instanceof Error ? new CommandError(error.message) : error;
}

/**
 * Encrypts all secrets with a new key, which replaces the old key in the key file. At any time, the
 * file contains every key that the store needs. After a crash, the service can therefore start, and
 * the next rotation continues the interrupted one.
 * @throws CommandError if the service is running, or if the old key is missing or incorrect.
 */
async function rotateSecretsKey(
  command: RotateSecretsKeyCommand,
  print: (sentence: string) => void,
): Promise<void> {
  const directory = resolve(
    command.dataDirectory ?? getDefaultDataDirectory(process.platform, process.env),
  );
  const logger = new JsonLineLogger('warn', (line) => process.stderr.write(line));
  const file = openSecretsKey(command.secretsKey, directory, logger);
  if (!(file instanceof SecretsKeyFile)) {
    throw new CommandError(
      `this command only rotates keys in files: change ${file.description} to the new key first ` +
        'and the old one after it, start the service, which encrypts everything with the new one, and ' +
        'then remove the old key',
    );
  }
  if (command.databaseUrl === undefined && !(await exists(join(directory, DATABASE_FILE)))) {
    throw new CommandError(
      `${directory} doesn't contain ${DATABASE_FILE}; specify the data directory of the service with --data DIR, ` +
        'and for a fleet in PostgreSQL its address with --database-url URL',
    );
  }
  const claim = await claimDirectory(directory);
  if (claim.kind === 'running') throw directoryInUse(directory, claim.service);
  using _lock = claim.lock;
  let store: Store | undefined;
  try {
    store =
      command.databaseUrl === undefined
        ? await openSqliteStore(join(directory, DATABASE_FILE))
        : await openPostgresStore(command.databaseUrl, logger);
    if (command.replacesSecrets) await replaceLostSecrets(store, file);
    await unlockSecrets(store, file);
    const keys = await file.read();
    const newKey = newSecretsKey();
    await file.write([newKey, ...(keys ?? [])]);
    const { keyId } = await unlockSecrets(store, file);
    await file.write([newKey]);
    print(`all secrets are encrypted with the new key ${keyId} in ${file.path}: keep a copy of it`);
  } catch (error) {
    if (isDatabaseDamaged(error)) {
      throw damagedDatabaseError({ directory, databaseUrl: command.databaseUrl }, error);
    }
    throw error instanceof SecretsKeyError ? new CommandError(error.message) : error;
  } finally {
    await store?.destroy();
  }
}

async function replaceLostSecrets(store: Store, file: SecretsKeyFile): Promise<void> {
  if ((await file.read()) !== undefined) {
    throw new CommandError(
      `${file.description} exists: secrets are replaced only when their key is lost. Move the file away ` +
        'if it has another key',
    );
  }
  await replaceSecrets(store);
}

/** Umask that allows only the owner to read new files, because they contain keys and fleets. */
const OWNER_ONLY_UMASK = 0o077;
/** Delay in milliseconds before exiting. A pipe's reader might not have read the last line yet. */
const EXIT_GRACE_MS = 1_000;

async function run(command: Command): Promise<void> {
  if (command.kind === 'help') {
    process.stdout.write(command.text);
    return;
  }
  if (command.kind === 'version') {
    process.stdout.write(`${version}\n`);
    return;
  }
  if (command.kind === 'simulate') {
    await simulate(command, (sentence) => process.stderr.write(`${sentence}\n`));
    return;
  }
  if (command.kind === 'backup') {
    await backUp(command, printLine);
    return;
  }
  if (command.kind === 'restore') {
    await restore(command, printLine);
    return;
  }
  if (command.kind === 'verify') {
    await verify(command, printLine);
    return;
  }
  if (command.kind === 'check-database') {
    checkDatabase(command);
    return;
  }
  if (command.kind === 'rotate-secrets-key') {
    await rotateSecretsKey(command, printLine);
    return;
  }
  const callContext = new CallContext();
  const logger = new JsonLineLogger(
    command.logLevel,
    (line) => process.stderr.write(line),
    systemClock,
    () => callContext.fields,
  );
  process.on('uncaughtException', (error) => {
    // The state of the process is now unknown, but all acknowledged changes are on disk.
    logger.error('the service failed', { error: error.stack });
    process.exit(EXIT_FAILED);
  });
  await serve(command, { logger, callContext }, (line) => {
    process.stdout.write(`${JSON.stringify(line)}\n`);
  });
}

function printLine(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

async function main(): Promise<void> {
  process.umask(OWNER_ONLY_UMASK);
  for (const stream of [process.stdout, process.stderr]) {
    // If the process that started the service has exited, the other end of the pipe is closed, and
    // writing to it fails.
    stream.on('error', () => undefined);
  }
  try {
    await run(parseCommandLine(process.argv.slice(2), process.env));
    process.exitCode ??= 0;
  } catch (error) {
    const isExpected = error instanceof CommandError;
    const message = isExpected ? error.message : `unexpected failure: ${String(error)}`;
    process.stderr.write(`service: ${message.replaceAll(/\s*\n\s*/g, ' ')}\n`);
    process.exitCode = isExpected ? error.exitCode : EXIT_FAILED;
  }
  // Exits even if a library has left resources open that would otherwise keep the process running.
  setTimeout(() => process.exit(), EXIT_GRACE_MS).unref();
}

if (isMainThread) void main();
else watchProcess();
