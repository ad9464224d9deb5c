import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getErrorCode } from '../../base/errorCode';
import type { Logger } from '../../base/logger';
import { endLeftScript } from './custom/scriptProcesses';
import type { TrainingFolder } from './trainingRunner';

const OWNER_ONLY = 0o700;
const TEMPORARY_PREFIX = 'fleetwright-training-';
const DATASET_FILE = 'dataset.jsonl';
const OUTPUT = 'output';

/** Folders of running training jobs. Each job has one folder, which is deleted with the job. */
export class TrainingFolders {
  private constructor(
    private readonly root: string,
    private readonly isTemporary: boolean,
  ) {}

  /**
   * Opens a folder that only this process uses, and deletes the files that an earlier process left
   * there.
   * @param directory if absent, creates a temporary folder, which `close` deletes.
   */
  static async open(directory: string | undefined, logger: Logger): Promise<TrainingFolders> {
    const root = directory ?? (await mkdtemp(join(tmpdir(), TEMPORARY_PREFIX)));
    await mkdir(root, { recursive: true, mode: OWNER_ONLY });
    for (const name of await readdir(root)) {
      const left = join(root, name);
      await endLeftScript(left);
      await removeAll(left).catch((error: unknown) => {
        // The service starts anyway because leftover files only take up disk space.
        logger.warn('the remaining files of a training job could not be removed', {
          left,
          error: String(error),
        });
      });
    }
    return new TrainingFolders(root, directory === undefined);
  }

  /** Creates a job's folder, without a dataset. */
  async make(jobId: string): Promise<TrainingFolder> {
    const folder = join(this.root, jobId);
    await removeAll(folder);
    await mkdir(join(folder, OUTPUT), { recursive: true, mode: OWNER_ONLY });
    return {
      folder,
      datasetFile: join(folder, DATASET_FILE),
      outputFolder: join(folder, OUTPUT),
    };
  }

  /** Removes a job's folder, if it exists. */
  async remove(jobId: string): Promise<void> {
    await removeAll(join(this.root, jobId));
  }

  async close(): Promise<void> {
    if (this.isTemporary) await removeAll(this.root);
  }
}

async function removeAll(path: string): Promise<void> {
  try {
    await remove(path);
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(getErrorCode(error) ?? '')) throw error;
    await openUp(path);
    await remove(path);
  }
}

/**
 * Deletes a folder. Retries because killed processes can keep files open briefly, and Windows can't
 * delete open files.
 */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Restores write permission for a folder and its subfolders, because scripts might have copied
 * read-only folders.
 */
async function openUp(folder: string): Promise<void> {
  await chmod(folder, OWNER_ONLY);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await openUp(join(folder, entry.name));
  }
}
