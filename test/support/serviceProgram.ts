import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { root } from '../../scripts/support/paths';
import { bundledProgram } from './bundledProgram';

export interface ServiceRun {
  child: ChildProcess;
  /** First line of stdout; undefined if it exited before. */
  ready: Promise<{ url: string; credentialsFile: string } | undefined>;
  /** Returns everything that it has written to stderr so far. */
  readStderr: () => string;
  /** Its output and exit code. */
  ended: Promise<{ exitCode: number | null; stdout: string; stderr: string }>;
}

/** The service's program, bundled from the sources, in a separate folder. */
export class ServiceProgram {
  readonly folder = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
  /** Prefix of the program's command line, if it must run elsewhere. */
  command: readonly string[] = [];
  readonly #children = new Set<ChildProcess>();

  static async build(): Promise<ServiceProgram> {
    const program = new ServiceProgram();
    for (const name of ['service', 'queryProcess', 'trainingProcess'] as const) {
      copyFileSync(await bundledProgram(name), join(program.folder, `${name}.js`));
    }
    // Where the program finds its native part.
    symlinkSync(join(root, 'node_modules'), join(program.folder, 'node_modules'), 'junction');
    return program;
  }

  get #file(): string {
    return join(this.folder, 'service.js');
  }

  /** Runs `service serve` with these options. */
  serve(...options: string[]): ServiceRun {
    return this.run('serve', ...options);
  }

  run(...args: string[]): ServiceRun {
    const [command = process.execPath, ...rest] = [
      ...this.command,
      process.execPath,
      this.#file,
      ...args,
    ];
    const child = spawn(command, rest, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: this.folder, HOME: this.folder, XDG_DATA_HOME: '' },
    });
    this.#children.add(child);
    const exit = once(child, 'close').then(([code]) => {
      this.#children.delete(child);
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
      ...{ exitCode, stdout, stderr },
    }));
    // A test that has closed the output doesn't wait for its end.
    ended.catch(() => undefined);
    return { child, ready, ended, readStderr: () => stderr };
  }

  /** Returns a new path in the program's folder. */
  path(): string {
    return join(mkdtempSync(join(this.folder, 'case-')), 'data');
  }

  /** Kills running processes. */
  async end(): Promise<void> {
    await Promise.all(
      [...this.#children].map(async (child) => {
        child.kill('SIGKILL');
        await once(child, 'close');
      }),
    );
  }

  /** Kills running processes, and removes everything. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns the parsed JSON of a file. */
export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
