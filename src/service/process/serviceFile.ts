import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICE_FILE } from './dataDirectoryLayout';
import { readJsonObject, writePrivateJson } from './privateFile';

/** What a service tells others about itself in its data directory. */
export interface ServiceFile {
  pid: number;
  /** Absent while the service starts. */
  url?: string | undefined;
  /** Proves, without being sent, that what answers at the URL is the service that wrote this. */
  proofKey: string;
  /** Whether it runs training scripts; absent in what an older service wrote. */
  allowsScripts?: boolean | undefined;
}

/** What is written; it may be of a process that is gone, so nobody may take it for true. */
export async function readServiceFile(directory: string): Promise<ServiceFile | undefined> {
  const { pid, url, proofKey } = (await readJsonObject(join(directory, SERVICE_FILE))) ?? {};
  if (typeof pid !== 'number' || typeof proofKey !== 'string') {
    return undefined;
  }
  return { pid, proofKey, url: typeof url === 'string' ? url : undefined };
}

/** Only the holder of the directory's lock may write. */
export async function writeServiceFile(directory: string, file: ServiceFile): Promise<void> {
  await writePrivateJson(join(directory, SERVICE_FILE), file);
}

export async function removeServiceFile(directory: string): Promise<void> {
  await rm(join(directory, SERVICE_FILE), { force: true });
}
