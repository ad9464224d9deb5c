import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Name of the file that contains the process ID of VS Code's main process. */
const lockFile = 'code.lock';
const onWindows = process.platform === 'win32';
const quitLimitMs = 10_000;
const pollMs = 100;

interface DesktopOptions {
  /** Absolute path of the `code` command. */
  command: string;
  /**
   * Absolute path of the folder for the settings and state of this VS Code, which is separate from
   * the user's own.
   */
  dataFolder: string;
  /** Absolute path of the extension's folder. */
  developmentPath: string;
  /** Additional environment variables for VS Code. */
  env: Readonly<Record<string, string>>;
}

/** A desktop VS Code that is separate from the user's own. */
export interface DesktopCode {
  /** Resolves when the last window is closed. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** Returns the command of the desktop VS Code if it is installed and there is a display. */
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

/**
 * Returns the ID of VS Code's main process. The command starts a detached process, which writes its
 * ID to its data folder.
 */
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

/** Opens a desktop VS Code that loads the extension from its folder. */
export function startDesktopCode(options: DesktopOptions): DesktopCode {
  const { command, dataFolder, developmentPath, env } = options;
  mkdirSync(dataFolder, { recursive: true });
  // A file left by a crash can contain the ID of a process that is not VS Code.
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
