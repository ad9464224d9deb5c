import { createWriteStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pinnedNode } from '../bootstrap/pinnedNode.mjs';
import { fromRoot, root } from './paths';
import { startGroup } from './processGroup';

const startLimitMs = 60_000;

/** Credentials that the service writes for its first owner. */
export interface ServiceCredentials {
  url: string;
  apiKeyId: string;
  apiKey: string;
  organizationId: string;
}

/** How a process exited; either the exit code or the signal is null. */
export interface ServiceExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The bundled fleet service, running in a separate process. */
export interface ServiceProcess {
  /** URL of the service, such as `http://127.0.0.1:4711`. */
  url: string;
  /**
   * File that contains the first owner's key. The extension signs in with this key if it is given
   * the file's path.
   */
  credentialsFile: string;
  credentials: ServiceCredentials;
  pid: number;
  /** Resolves when the process has exited for any reason. */
  ended: Promise<ServiceExit>;
  stop(): Promise<void>;
}

export interface StartServiceOptions {
  /** Absolute path of another copy of the program, to run instead of `dist/service.js`. */
  script?: string;
  /** Absolute path of the file to which the service appends its log. */
  logFile?: string;
  /** Options for Node.js, such as `--inspect=127.0.0.1:0`. */
  nodeOptions?: readonly string[];
}

interface ReadyLine {
  url: string;
  credentialsFile: string;
}

/**
 * Starts `dist/service.js serve` with the given options; resolves when clients can call the
 * service.
 *
 * @param options such as `['--demo', '--ephemeral']`
 * @throws Error with the stderr output if the process exits first
 */
export async function startService(
  options: readonly string[],
  { script = fromRoot('dist', 'service.js'), logFile, nodeOptions = [] }: StartServiceOptions = {},
): Promise<ServiceProcess> {
  const { child, stop } = startGroup(
    pinnedNode(root),
    [...nodeOptions, script, 'serve', ...options],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('The service has no pipes.');
  let log = '';
  if (logFile !== undefined) stderr.pipe(createWriteStream(logFile, { flags: 'a' }));
  stderr.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString('utf8')).slice(-10_000);
  });
  const ended = new Promise<ServiceExit>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  const ready = new Promise<ReadyLine>((resolve, reject) => {
    const limit = setTimeout(() => {
      reject(new Error(`The service is not ready after ${startLimitMs / 1000} s:\n${log}`));
    }, startLimitMs);
    createInterface({ input: stdout }).once('line', (line) => {
      clearTimeout(limit);
      resolve(JSON.parse(line) as ReadyLine);
    });
    void ended.then(() => {
      clearTimeout(limit);
      reject(new Error(`The service did not start:\n${log}`));
    });
  });
  try {
    const { url, credentialsFile } = await ready;
    const credentials = JSON.parse(readFileSync(credentialsFile, 'utf8')) as ServiceCredentials;
    return { url, credentialsFile, credentials, pid: child.pid ?? -1, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
