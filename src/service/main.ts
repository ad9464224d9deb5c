import { isMainThread } from 'node:worker_threads';
import { version } from '../../package.json';
import { backUp, restore } from './process/backup';
import { CommandError, EXIT_FAILED } from './process/commandError';
import { type Command, parseCommandLine } from './process/commandLine';
import { checkDatabase } from './process/databaseCheck';
import { JsonLineLogger } from './process/jsonLineLogger';
import { rotateSecretsKey } from './process/rotateSecretsKey';
import { serve } from './process/serve';
import { simulate } from './process/simulate';
import { watchProcess } from './processes/processGuard';

/** Umask that allows only the owner to read new files, because they contain keys and fleets. */
const OWNER_ONLY_UMASK = 0o077;
/**
 * Delay in milliseconds before exiting. The reader of a pipe might not have read the last line yet.
 */
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
  if (command.kind === 'check-database') {
    checkDatabase(command);
    return;
  }
  if (command.kind === 'rotate-secrets-key') {
    await rotateSecretsKey(command, printLine);
    return;
  }
  const logger = new JsonLineLogger(command.logLevel, (line) => process.stderr.write(line));
  process.on('uncaughtException', (error) => {
    // The state of the process is now unknown, but all acknowledged changes are on disk.
    logger.error('the service failed', { error: error.stack });
    process.exit(EXIT_FAILED);
  });
  await serve(command, logger, (line) => {
    process.stdout.write(`${JSON.stringify(line)}\n`);
  });
}

function printLine(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

async function main(): Promise<void> {
  process.umask(OWNER_ONLY_UMASK);
  for (const stream of [process.stdout, process.stderr]) {
    // If the process that started the service has exited, the other end of the pipe is closed.
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
  // Exits even if a library has left resources open that would keep the process alive.
  setTimeout(() => process.exit(), EXIT_GRACE_MS).unref();
}

if (isMainThread) void main();
else watchProcess();
