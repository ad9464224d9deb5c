import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICE_FILE } from './dataDirectoryLayout';
import { readJsonObject, writePrivateJson } from './privateFile';

/** Information about a running service. It is stored in the data directory for other processes. */
export interface ServiceFile {
  pid: number;
  /** Absent while the service is starting. */
  url?: string | undefined;
  /**
   * Secret that proves that the server at the URL is the service that wrote this file. The secret
   * itself is never sent.
   */
  proofKey: string;
  /** True if the service runs training scripts; absent in files written by older versions. */
  allowsScripts?: boolean | undefined;
}

/**
 * Reads the service file. The file might be left over from a process that has exited, so the caller
 * must verify its contents.
 */
export async function readServiceFile(directory: string): Promise<ServiceFile | undefined> {
  const { pid, url, proofKey } = (await readJsonObject(join(directory, SERVICE_FILE))) ?? {};
  if (typeof pid !== 'number' || typeof proofKey !== 'string') {
    return undefined;
  }
  return { pid, proofKey, url: typeof url === 'string' ? url : undefined };
}

/** Writes the service file. The caller must hold the lock on the directory. */
export async function writeServiceFile(directory: string, file: ServiceFile): Promise<void> {
  await writePrivateJson(join(directory, SERVICE_FILE), file);
}

export async function removeServiceFile(directory: string): Promise<void> {
  await rm(join(directory, SERVICE_FILE), { force: true });
}
