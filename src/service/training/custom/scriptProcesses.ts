import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { toEnvironmentMarker } from './scriptEnvironment';

const PROC = '/proc';
const KIB = 1024;

interface System {
  readonly platform: NodeJS.Platform;
  readonly run: (program: string, args: readonly string[]) => Promise<unknown>;
}

const system: System = {
  platform: process.platform,
  run: (program, args) => promisify(execFile)(program, args, { windowsHide: true }),
};

/**
 * Sends a signal to a process and its group. On Windows, which supports neither signals nor groups,
 * immediately terminates the whole process tree. Ignores processes that have already exited.
 */
export async function signalGroup(
  leader: number,
  signal: 'SIGTERM' | 'SIGKILL',
  { platform, run }: System = system,
): Promise<void> {
  if (platform === 'win32') {
    await run('taskkill', ['/pid', String(leader), '/T', '/F']).catch(() => undefined);
    return;
  }
  kill(-leader, signal);
}

/**
 * Terminates processes that have a marker in their environment. These processes have left their
 * script's process group or outlived the service that ran the script. Supported only on Linux.
 */
export async function endMarked(mark: string): Promise<void> {
  for (const id of await processIds()) {
    if (id !== process.pid && (await isMarked(id, mark))) kill(id, 'SIGKILL');
  }
}

/**
 * Returns a process group's memory usage.
 * @returns the number of bytes; undefined if the system doesn't report it.
 */
export async function groupBytes(leader: number): Promise<number | undefined> {
  switch (process.platform) {
    case 'linux':
      return getLinuxGroupBytes(leader);
    case 'win32':
      return undefined;
    default:
      return groupBytesByPs(leader);
  }
}

async function getLinuxGroupBytes(leader: number): Promise<number> {
  let bytes = 0;
  for (const id of await processIds()) {
    const stat = await readFile(`${PROC}/${String(id)}/stat`, 'latin1').catch(() => '');
    // The name can contain any characters. It is followed by the state, the parent, and the group.
    const [, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(group) === leader) bytes += await getProcessBytes(id);
  }
  return bytes;
}

/**
 * Returns a process's memory usage, including its proportional share of shared memory. Forked
 * processes share most of their memory.
 */
async function getProcessBytes(id: number): Promise<number> {
  const rollup = await readFile(`${PROC}/${String(id)}/smaps_rollup`, 'latin1').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * KIB;
}

async function groupBytesByPs(leader: number): Promise<number | undefined> {
  const answer = await promisify(execFile)('ps', ['-A', '-o', 'pgid=,rss=']).catch(() => undefined);
  return answer?.stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([group]) => group === leader)
    .reduce((sum, [, kib = 0]) => sum + kib * KIB, 0);
}

async function processIds(): Promise<number[]> {
  const names = await readdir(PROC).catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function isMarked(id: number, mark: string): Promise<boolean> {
  const environment = await readFile(`${PROC}/${String(id)}/environ`, 'utf8').catch(() => '');
  return environment.split('\0').includes(mark);
}

function kill(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal);
  } catch {
    // The process has exited.
  }
}

const OWN_FOLDER = 'custom';
const TEMPORARY = 'tmp';

/** Returns a script's folders within its training job's folder. */
export function scriptRoot(trainingFolder: string): { root: string; temporary: string } {
  const root = join(trainingFolder, OWN_FOLDER);
  return { root, temporary: join(root, TEMPORARY) };
}

/**
 * Terminates a script's remaining processes in its training job's folder. A service that was killed
 * couldn't terminate them.
 */
export async function endLeftScript(trainingFolder: string): Promise<void> {
  await endMarked(toEnvironmentMarker(scriptRoot(trainingFolder)));
}
