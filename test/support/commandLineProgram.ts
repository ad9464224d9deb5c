import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { programBundle } from '../../scripts/support/bundles';
import { root } from '../../scripts/support/paths';

export interface CommandLineRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** The command-line program, bundled from the sources into a separate folder. */
export class CommandLineProgram {
  private constructor(private readonly folder: string) {}

  static async build(): Promise<CommandLineProgram> {
    const folder = mkdtempSync(join(tmpdir(), 'fleetwright-cli-'));
    const bundle = programBundle({ root, production: false }, 'cli');
    await build({ ...bundle, sourcemap: false, outdir: folder });
    return new CommandLineProgram(folder);
  }

  /** Path of the program's file. */
  get path(): string {
    return join(this.folder, 'cli.js');
  }

  /**
   * Runs the program until it exits.
   * @param environment variables that are added to an environment without any credentials.
   */
  async run(
    args: readonly string[],
    { cwd, environment = {} }: { cwd: string; environment?: Readonly<Record<string, string>> },
  ): Promise<CommandLineRun> {
    const { PATH } = process.env;
    const child = spawn(process.execPath, [this.path, ...args], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH, ...environment },
    });
    const [[exitCode], stdout, stderr] = await Promise.all([
      once(child, 'close') as Promise<[number | null]>,
      text(child.stdout),
      text(child.stderr),
    ]);
    return { exitCode, stdout, stderr };
  }

  /**
   * Copies the program to a folder in which other users can run it, as installed from a package.
   */
  installInto(folder: string): void {
    cpSync(this.folder, folder, { recursive: true });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
