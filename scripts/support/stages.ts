import { spawn } from 'node:child_process';
import { styleText } from 'node:util';
import { CpuSampler } from './cpuSampler';
import { root } from './paths';

/** One command whose exit code says whether it passed. */
export interface Stage {
  name: string;
  /** Program of `node_modules/.bin` or the PATH, then its arguments. */
  command: readonly [string, ...string[]];
  /** Added to the environment of this process. */
  env?: Readonly<Record<string, string>>;
}

export interface StageResult {
  stage: Stage;
  exitCode: number;
  /** What it wrote to stdout and stderr, in the order it arrived. */
  output: string;
  milliseconds: number;
  /** What all of its processes took, if it was to be counted and the system tells. */
  cpuSeconds?: number | undefined;
}

/**
 * Runs a stage to its end. Its output is kept, and echoed as it comes when `echo` is set. `countsCpu` asks for the CPU
 * seconds of its processes.
 * A program that cannot be started gives exit code 127.
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
    // npm writes .cmd files on Windows, which only a shell starts; the arguments are our own words.
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

/** Returns one line: passed or failed, the stage's name and its seconds. */
export function stageLine({ stage, exitCode, milliseconds, cpuSeconds }: StageResult): string {
  const mark = exitCode === 0 ? styleText('green', 'passed') : styleText('red', 'FAILED');
  const cpu = cpuSeconds === undefined ? '' : `, CPU ${cpuSeconds.toFixed(0)} s`;
  return `${mark}  ${stage.name} (${(milliseconds / 1000).toFixed(1)} s${cpu})`;
}
