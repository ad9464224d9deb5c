import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICE_FILE } from './dataDirectoryLayout';
import { readJsonObject, writePrivateJson } from './privateFile';

/** Information about a service in its data directory, for other processes. */
export interface ServiceFile {
  pid: number;
  /** Absent while the service is starting. */
  url?: string | undefined;
  /** Proves, without being sent, that the server at the URL is the service that wrote this file. */
  proofKey: string;
  /** True if it runs training scripts; absent in files of older services. */
  allowsScripts?: boolean | undefined;
}

/**
 * Reads the service file. It can be left over from a process that has ended, so its contents must
 * be verified.
 */
export async function readServiceFile(directory: string): Promise<ServiceFile | undefined> {
  const { pid, url, proofKey } = (await readJsonObject(join(directory, SERVICE_FILE))) ?? {};
  if (typeof pid !== 'number' || typeof proofKey !== 'string') {
    return undefined;
  }
  return { pid, proofKey, url: typeof url === 'string' ? url : undefined };
}

/** Only the holder of the directory's lock can write it. */
export async function writeServiceFile(directory: string, file: ServiceFile): Promise<void> {
  await writePrivateJson(join(directory, SERVICE_FILE), file);
}

export async function removeServiceFile(directory: string): Promise<void> {
  await rm(join(directory, SERVICE_FILE), { force: true });
}
