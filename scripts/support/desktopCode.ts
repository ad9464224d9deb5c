import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** VS Code keeps its main process's id here. */
const lockFile = 'code.lock';
const onWindows = process.platform === 'win32';
const quitLimitMs = 10_000;
const pollMs = 100;

interface DesktopOptions {
  /** The `code` command, absolute. */
  command: string;
  /** Holds this VS Code's settings and state, apart from the user's own. Absolute. */
  dataFolder: string;
  /** The extension's folder. Absolute. */
  developmentPath: string;
  /** Added to the environment of VS Code. */
  env: Readonly<Record<string, string>>;
}

/** A desktop VS Code of its own. */
export interface DesktopCode {
  /** Resolves when its last window is closed. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** The desktop VS Code's command, where there is one and a display to show it on. */
export function findDesktopCode(): string | undefined {
  const { DISPLAY, WAYLAND_DISPLAY, PATH = '' } = process.env;
  const hasDisplay =
    process.platform !== 'linux' || DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined;
  if (!hasDisplay) return undefined;
  const name = onWindows ? 'code.cmd' : 'code';
  return PATH.split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** The command returns control to a process it detaches; that one writes its id into its folder. */
function mainProcess(dataFolder: string): number | undefined {
  try {
    return Number(readFileSync(join(dataFolder, lockFile), 'utf8'));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function quit(pid: number): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, 'SIGTERM');
  const deadline = performance.now() + quitLimitMs;
  while (isAlive(pid) && performance.now() < deadline) await sleep(pollMs);
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}

/** Opens a desktop VS Code with the extension from its folder. */
export function startDesktopCode(options: DesktopOptions): DesktopCode {
  const { command, dataFolder, developmentPath, env } = options;
  mkdirSync(dataFolder, { recursive: true });
  // One left by a crash may name a process that is not VS Code by now.
  rmSync(join(dataFolder, lockFile), { force: true });
  const code = spawn(
    command,
    [
      '--wait',
      '--new-window',
      `--user-data-dir=${dataFolder}`,
      `--extensionDevelopmentPath=${developmentPath}`,
    ],
    { env: { ...process.env, ...env }, stdio: 'ignore', shell: onWindows },
  );
  const ended = new Promise<void>((resolve) => {
    code.once('exit', () => resolve());
    code.once('error', () => resolve());
  });
  return {
    ended,
    async stop() {
      const pid = mainProcess(dataFolder);
      if (pid !== undefined) await quit(pid);
      code.kill();
      await ended;
    },
  };
}
