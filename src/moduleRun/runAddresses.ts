import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type NetConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModuleRunError } from './moduleProcess';

/**
 * Maximum number of bytes in a socket path without the terminating zero. Including the zero, the
 * limit is 104 bytes on macOS and 108 bytes on Linux.
 */
const MAX_SOCKET_PATH_BYTES = 103;
const LOOPBACK = '127.0.0.1';

/** Folder and addresses for a local run. */
export interface RunAddresses {
  /** Temporary folder that only its owner can access. */
  readonly folder: string;
  /** Address in the notation of the module protocol: a socket path, or `host:port`. */
  readonly module: string;
  readonly server: string;
  remove(): Promise<void>;
}

/**
 * Reserves a run's addresses: sockets in a new folder or, on Windows, ports on this computer,
 * because the module protocol uses TCP there.
 *
 * @param base folder for temporary files
 * @throws ModuleRunError if a socket path is too long
 */
export async function reserveAddresses(
  platform: NodeJS.Platform,
  base = tmpdir(),
): Promise<RunAddresses> {
  const folder = await mkdtemp(join(base, 'fleetwright-run-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    if (platform === 'win32') {
      const [module, server] = await findFreePorts(2);
      return {
        folder,
        remove,
        module: `${LOOPBACK}:${String(module)}`,
        server: `${LOOPBACK}:${String(server)}`,
      };
    }
    const module = join(folder, 'module.sock');
    if (Buffer.byteLength(module) > MAX_SOCKET_PATH_BYTES) {
      const maxBytes = MAX_SOCKET_PATH_BYTES;
      throw new ModuleRunError({ kind: 'socketPathTooLong', path: module, maxBytes });
    }
    return { folder, remove, module, server: join(folder, 'server.sock') };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Converts an address to options for `connect` and `listen`. */
export function toSocketOptions(address: string): NetConnectOpts & { readonly path?: string } {
  const [, host, port] = /^([^/\\]*):(\d+)$/.exec(address) ?? [];
  return host === undefined ? { path: address } : { host, port: Number(port) };
}

/** Finds the given number of distinct free ports. Occupies each port until all have been found. */
async function findFreePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  try {
    return await Promise.all(
      servers.map(
        (server) =>
          new Promise<number>((resolve, reject) => {
            server.once('error', reject);
            server.listen(0, LOOPBACK, () => {
              const address = server.address();
              if (typeof address === 'object' && address) resolve(address.port);
              else reject(new Error('The system assigned no port.'));
            });
          }),
      ),
    );
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}
