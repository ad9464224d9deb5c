import { spawn } from 'node:child_process';
import { styleText } from 'node:util';
import { CpuSampler } from './cpuSampler';
import { root } from './paths';

/** A command whose exit code indicates success. */
export interface Stage {
  name: string;
  /** Name of a program in `node_modules/.bin` or on the PATH, followed by its arguments. */
  command: readonly [string, ...string[]];
  /** Environment variables to add to those of this process. */
  env?: Readonly<Record<string, string>>;
}

export interface StageResult {
  stage: Stage;
  exitCode: number;
  /** Output to stdout and stderr, in order of arrival. */
  output: string;
  milliseconds: number;
  /** CPU time of all of the stage's processes, if it was requested and the system reports it. */
  cpuSeconds?: number | undefined;
}

/**
 * Runs a stage until it exits, and collects its output. If `echo` is set, the output is also
 * printed. If `countsCpu` is set, the CPU time of its processes is measured. If the program can't
 * be started, the exit code is 127.
 */
export function runStage(
  stage: Stage,
  { echo, countsCpu = false }: { echo: boolean; countsCpu?: boolean },
): Promise<StageResult> {
  const [program, ...args] = stage.command;
  const started = performance.now();
  const chunks: string[] = [];
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...stage.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // On Windows, npm installs commands as .cmd files, which only a shell can start. The arguments
    // are trusted.
    shell: process.platform === 'win32',
  });
  const sampler = countsCpu && child.pid !== undefined ? new CpuSampler(child.pid) : undefined;
  const take = (chunk: Buffer): void => {
    const text = chunk.toString('utf8');
    chunks.push(text);
    if (echo) process.stdout.write(text);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return new Promise((resolve) => {
    const end = (exitCode: number): void => {
      const milliseconds = performance.now() - started;
      resolve({
        stage,
        exitCode,
        output: chunks.join(''),
        milliseconds,
        cpuSeconds: sampler?.stop(),
      });
    };
    child.once('error', (error) => {
      chunks.push(`${program}: ${error.message}\n`);
      end(127);
    });
    child.once('close', (code) => {
      end(code ?? 1);
    });
  });
}

/** Formats a line with a stage's result, name, and duration in seconds. */
export function stageLine({ stage, exitCode, milliseconds, cpuSeconds }: StageResult): string {
  const mark = exitCode === 0 ? styleText('green', 'passed') : styleText('red', 'FAILED');
  const cpu = cpuSeconds === undefined ? '' : `, CPU ${cpuSeconds.toFixed(0)} s`;
  return `${mark}  ${stage.name} (${(milliseconds / 1000).toFixed(1)} s${cpu})`;
}
