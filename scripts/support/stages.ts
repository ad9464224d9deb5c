import { spawn } from 'node:child_process';
import { styleText } from 'node:util';
import { CpuSampler } from './cpuSampler';
import { root } from './paths';

/** Command whose exit code indicates success. */
export interface Stage {
  name: string;
  /** Program of `node_modules/.bin` or the PATH, followed by its arguments. */
  command: readonly [string, ...string[]];
  /** Variables added to the environment of this process. */
  env?: Readonly<Record<string, string>>;
}

export interface StageResult {
  stage: Stage;
  exitCode: number;
  /** Output to stdout and stderr, in order of arrival. */
  output: string;
  milliseconds: number;
  /** CPU time of all its processes, if requested and reported by the system. */
  cpuSeconds?: number | undefined;
}

/**
 * Runs a stage until it exits. Collects its output, and echoes it if `echo` is set. `countsCpu`
 * requests the CPU time of its processes. A program that can't be started results in exit code 127.
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
    // npm writes .cmd files on Windows, which only a shell can start; the arguments are trusted.
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
        ...{ stage, exitCode, output: chunks.join(''), milliseconds },
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

/** Returns a line with the result, the stage's name, and its seconds. */
export function stageLine({ stage, exitCode, milliseconds, cpuSeconds }: StageResult): string {
  const mark = exitCode === 0 ? styleText('green', 'passed') : styleText('red', 'FAILED');
  const cpu = cpuSeconds === undefined ? '' : `, CPU ${cpuSeconds.toFixed(0)} s`;
  return `${mark}  ${stage.name} (${(milliseconds / 1000).toFixed(1)} s${cpu})`;
}
