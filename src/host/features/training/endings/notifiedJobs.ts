import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../../core/ports';
import type { AwaitedJob } from './awaitedJobs';
import { jobFileName } from './jobFileName';

/** Time after which no window waits for a job that has finished. */
const KEPT_MS = 30 * 24 * 3_600_000;

/**
 * Markers for finished jobs that a window has already reported. The marker of each job is an empty
 * file.
 */
export class NotifiedJobs {
  constructor(
    private readonly folder: string,
    private readonly clock: Clock,
  ) {}

  /** @returns true if the caller must report the job. Throws if the folder can't be written. */
  async claim(job: Pick<AwaitedJob, 'connectionId' | 'jobId'>): Promise<boolean> {
    await mkdir(this.folder, { recursive: true });
    try {
      // If windows create the file concurrently, only one window succeeds.
      const file = await open(join(this.folder, jobFileName(job)), 'wx');
      await file.close();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      throw error;
    }
    await this.removeOld();
    return true;
  }

  private async removeOld(): Promise<void> {
    const oldest = this.clock.now().getTime() - KEPT_MS;
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found && found.mtimeMs < oldest) await rm(path, { force: true });
    }
  }
}
