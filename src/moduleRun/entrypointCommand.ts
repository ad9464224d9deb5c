import type { SpawnOptions } from 'node:child_process';

/** Parameters for `spawn`. */
export interface EntrypointCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly options: Pick<SpawnOptions, 'detached' | 'windowsVerbatimArguments'>;
}

const BATCH_FILE = /\.(?:bat|cmd)$/i;

/**
 * Returns the command that starts an entrypoint: in a process group of its own, except on Windows, where batch
 * files, which are no programs, are started in the command interpreter.
 *
 * @param path the absolute path of the entrypoint
 * @param address the address to listen on: of a socket, or `host:port` on Windows
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
    // With /s, the interpreter removes the outer quotes and leaves those around the path.
    args: ['/d', '/s', '/c', `""${path}" ${address}"`],
    options: { detached: false, windowsVerbatimArguments: true },
  };
}
