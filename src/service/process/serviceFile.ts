import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonObject, writePrivateJson } from './privateFile';

const FILE_NAME = 'service.json';

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
  const { pid, url, proofKey } = (await readJsonObject(join(directory, FILE_NAME))) ?? {};
  if (typeof pid !== 'number' || typeof proofKey !== 'string') {
    return undefined;
  }
  return { pid, proofKey, url: typeof url === 'string' ? url : undefined };
}

/** Only the holder of the directory's lock may write. */
export async function writeServiceFile(directory: string, file: ServiceFile): Promise<void> {
  await writePrivateJson(join(directory, FILE_NAME), file);
}

export async function removeServiceFile(directory: string): Promise<void> {
  await rm(join(directory, FILE_NAME), { force: true });
}
