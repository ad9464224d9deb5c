import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { get } from 'node:http';
import { englishLocalizer, type Localizer } from '../../../base/localizer';
import { FleetError } from '../../../core/api/errors';
import { getLogFile } from './serviceProcess';
import type { DisposableLike } from '../../../base/disposable';

/** The service's command line, which is a separate Node.js program. */
export interface ServiceProgram {
  /** VS Code's own executable, which can run as plain Node.js. */
  readonly nodePath: string;
  /** Arguments up to and including the service's script. */
  readonly scriptArguments: readonly string[];
}

export interface LaunchOptions {
  readonly program: ServiceProgram;
  readonly dataDirectory: string;
  readonly demo: boolean;
  /**
   * True if the service can run training scripts, which have the permissions of the user who starts
   * the service.
   */
  readonly allowsScripts: boolean;
  readonly environment: NodeJS.ProcessEnv;
}

/** Information that the service outputs when it is ready. */
export interface ReadyService {
  readonly url: string;
  readonly credentialsFile: string;
  /** True if the running service is of an older version, whose files VS Code might have deleted. */
  readonly isOutdated: boolean;
}

const PREVIOUS_LOG_FILE = 'service.previous.log';
const LOG_LIMIT_BYTES = 5 * 1024 * 1024;
/**
 * Time in seconds after which the service exits if no window uses it. A window reload takes less
 * time, even on a busy computer.
 */
const SECONDS_UNUSED = 30;
/** The first start takes longest, because it creates the demo fleet. */
const START_TIMEOUT_MS = 60_000;

/**
 * Starts the service on a data directory, or finds the service that is already running. The service
 * outlives this window, because other windows can use it. Throws `unavailable` with the service's
 * reason.
 */
export async function launchService(
  options: LaunchOptions,
  l10n = englishLocalizer,
): Promise<ReadyService> {
  const { dataDirectory } = options;
  let logStart = Number.POSITIVE_INFINITY;
  try {
    mkdirSync(dataDirectory, { recursive: true });
    const log = openLog(dataDirectory);
    logStart = log.start;
    return await runUntilReady(options, log.descriptor, l10n);
  } catch (cause) {
    const reason = lastLine(dataDirectory, logStart) ?? getErrorMessage(cause);
    const message = l10n.t("The local fleet couldn't start: {0}", reason);
    throw new FleetError('unavailable', message, { cause, action: 'startLocalFleet' });
  }
}

async function runUntilReady(
  { program, dataDirectory, demo, allowsScripts, environment }: LaunchOptions,
  logDescriptor: number,
  l10n: Localizer,
): Promise<ReadyService> {
  const dataArguments = ['--data', dataDirectory, '--until-unused', String(SECONDS_UNUSED)];
  const wishes = [
    ...(demo ? ['--demo'] : []),
    ...(allowsScripts ? ['--allow-custom-training'] : []),
  ];
  const child = spawn(
    program.nodePath,
    [...program.scriptArguments, 'serve', '--reuse', ...dataArguments, ...wishes],
    {
      detached: true,
      // A pipe would break if this window exited before the service, and the service's logging
      // would fail.
      stdio: ['ignore', 'pipe', logDescriptor],
      env: serviceEnvironment(environment),
      windowsHide: true,
    },
  );
  closeSync(logDescriptor);
  try {
    return await readyLine(child, l10n);
  } catch (error) {
    child.kill();
    throw error;
  } finally {
    child.stdout?.destroy();
    child.unref();
  }
}

function readyLine(child: ChildProcess, l10n: Localizer): Promise<ReadyService> {
  return new Promise<ReadyService>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(l10n.t("The service wasn't ready in time."))),
      START_TIMEOUT_MS,
    );
    if (!child.stdout) throw new Error(l10n.t("The output of the service can't be read."));
    const lines = createInterface({ input: child.stdout });
    lines.once('line', (line) => {
      const ready = parseReadyLine(line);
      if (ready) resolve(ready);
      else reject(new Error(l10n.t('The service printed an unexpected line: {0}', line)));
    });
    child.once('error', reject);
    child.once('close', (code) => {
      reject(new Error(l10n.t('The service exited with code {0}.', String(code))));
    });
    child.once('close', () => clearTimeout(timer));
    lines.once('line', () => clearTimeout(timer));
  });
}

function parseReadyLine(line: string): ReadyService | undefined {
  try {
    const ready = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const { url, credentialsFile, isOutdated } = ready;
    return typeof url === 'string' && typeof credentialsFile === 'string'
      ? { url, credentialsFile, isOutdated: isOutdated === true }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the environment without the variables that VS Code sets for its own processes. */
function serviceEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const remaining = Object.entries(environment).filter(
    ([name]) => name !== 'NODE_OPTIONS' && !/^(VSCODE|ELECTRON|FLEETWRIGHT)_/.test(name),
  );
  return { ...Object.fromEntries(remaining), ELECTRON_RUN_AS_NODE: '1' };
}

function openLog(dataDirectory: string): { readonly descriptor: number; readonly start: number } {
  const file = getLogFile(dataDirectory);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const full = size > LOG_LIMIT_BYTES;
  if (full) renameSync(file, join(dataDirectory, PREVIOUS_LOG_FILE));
  return { descriptor: openSync(file, 'a', 0o600), start: full ? 0 : size };
}

/** Returns the last line that the service has logged since this start, without the name prefix. */
function lastLine(dataDirectory: string, start: number): string | undefined {
  if (!Number.isFinite(start)) return undefined;
  const text = readFileSync(getLogFile(dataDirectory)).subarray(start).toString('utf8');
  const line = text.trim().split('\n').at(-1)?.trim();
  return line ? line.replace(/^service: /, '') : undefined;
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const LEASE_PATH = '/.fleetwright/lease';
const LEASE_TIMEOUT_MS = 10_000;

/** This window's lease on the running service, valid while the connection is open. */
export interface ServiceLease extends DisposableLike {
  /** Resolves when the service has ended the lease, which happens when the service stops. */
  readonly ended: Promise<void>;
}

/** Takes a lease. Throws `unavailable` if the service doesn't grant one. */
export function takeLease(
  url: string,
  token: string,
  l10n = englishLocalizer,
): Promise<ServiceLease> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => {
      const message = l10n.t("The local fleet isn't responding. Start it again.");
      reject(new FleetError('unavailable', message, { cause, action: 'startLocalFleet' }));
    };
    const request = get(
      `${url}${LEASE_PATH}`,
      { agent: false, headers: { authorization: `Bearer ${token}` } },
      (response) => {
        clearTimeout(timer);
        if (response.statusCode !== 200) {
          request.destroy();
          fail(new Error(`status ${String(response.statusCode)}`));
          return;
        }
        response.resume();
        resolve({
          ended: new Promise((end) => response.once('close', end)),
          dispose: () => request.destroy(),
        });
      },
    );
    const timer = setTimeout(
      () => request.destroy(new Error('the service does not respond')),
      LEASE_TIMEOUT_MS,
    );
    request.once('error', (error) => {
      clearTimeout(timer);
      fail(error);
    });
  });
}
