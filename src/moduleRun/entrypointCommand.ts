import type { SpawnOptions } from 'node:child_process';

/** Parameters for `spawn`. */
export interface EntrypointCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly options: Pick<SpawnOptions, 'detached' | 'windowsVerbatimArguments'>;
}

const BATCH_FILE = /\.(?:bat|cmd)$/i;

/**
 * Returns the command that starts an entrypoint. Except on Windows, the entrypoint runs in its own
 * process group. On Windows, the command interpreter starts batch files, which are not executable
 * programs.
 *
 * @param path absolute path of the entrypoint
 * @param address address to listen on: a socket path, or `host:port` on Windows
 */
export function toEntrypointCommand(
  path: string,
  address: string,
  platform: NodeJS.Platform,
): EntrypointCommand {
  if (platform !== 'win32') return { program: path, args: [address], options: { detached: true } };
  if (!BATCH_FILE.test(path)) {
    return { program: path, args: [address], options: { detached: false } };
  }
  return {
    program: 'cmd.exe',
    // With /s, the interpreter removes only the outer quotes, so the path stays quoted.
    args: ['/d', '/s', '/c', `""${path}" ${address}"`],
    options: { detached: false, windowsVerbatimArguments: true },
  };
}
