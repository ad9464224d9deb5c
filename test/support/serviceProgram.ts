import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { root } from '../../scripts/support/paths';
import { bundledProgram } from './bundledProgram';

export interface ServiceRun {
  child: ChildProcess;
  /**
   * Resolves to the first line of stdout, or to undefined if the process exits before writing one.
   */
  ready: Promise<{ url: string; credentialsFile: string } | undefined>;
  /** Returns everything that the process has written to stderr so far. */
  readStderr: () => string;
  /** Resolves to the output and exit code of the process. */
  ended: Promise<{ exitCode: number | null; stdout: string; stderr: string }>;
}

/** The service's program, bundled from the sources, in a separate folder with the demo data. */
export class ServiceProgram {
  readonly folder = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
  /** Prefix of the program's command line, for example to run it on another file system. */
  command: readonly string[] = [];
  private readonly children = new Set<ChildProcess>();

  static async build(): Promise<ServiceProgram> {
    const program = new ServiceProgram();
    mkdirSync(join(program.folder, 'dist'));
    for (const name of ['service', 'queryProcess', 'trainingProcess'] as const) {
      copyFileSync(await bundledProgram(name), join(program.folder, 'dist', `${name}.js`));
    }
    symlinkSync(join(root, 'media'), join(program.folder, 'media'), 'junction');
    // The program looks for its native modules in this folder.
    symlinkSync(join(root, 'node_modules'), join(program.folder, 'node_modules'), 'junction');
    return program;
  }

  private get file(): string {
    return join(this.folder, 'dist', 'service.js');
  }

  /** Runs `service serve` with the given options. */
  serve(...options: string[]): ServiceRun {
    return this.run('serve', ...options);
  }

  run(...args: string[]): ServiceRun {
    const [command = process.execPath, ...rest] = [
      ...this.command,
      process.execPath,
      this.file,
      ...args,
    ];
    const child = spawn(command, rest, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: this.folder, HOME: this.folder, XDG_DATA_HOME: '' },
    });
    this.children.add(child);
    const exit = once(child, 'close').then(([code]) => {
      this.children.delete(child);
      return code as number | null;
    });
    const lines = createInterface({ input: child.stdout });
    const ready = Promise.race([
      once(lines, 'line').then(
        ([line]) => JSON.parse(String(line)) as { url: string; credentialsFile: string },
      ),
      exit.then(() => undefined),
    ]);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    const ended = Promise.all([exit, text(child.stdout)]).then(([exitCode, stdout]) => ({
      exitCode,
      stdout,
      stderr,
    }));
    // Prevents an unhandled rejection if a test has closed the output and doesn't wait for the end.
    ended.catch(() => undefined);
    return { child, ready, ended, readStderr: () => stderr };
  }

  /** Returns an unused path in the program's folder. */
  path(): string {
    return join(mkdtempSync(join(this.folder, 'case-')), 'data');
  }

  /** Kills all running processes. */
  async end(): Promise<void> {
    await Promise.all(
      [...this.children].map(async (child) => {
        child.kill('SIGKILL');
        await once(child, 'close');
      }),
    );
  }

  /** Kills all running processes and deletes the folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Reads a JSON file. */
export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
