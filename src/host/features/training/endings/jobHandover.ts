import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectionId, organizationId, trainingJobId } from '../../../../core/model/ids';
import { isNumber, isShape, isString } from '../../../../shared/guards';
import { isRunning } from '../../../platform/isRunning';
import type { AwaitedJob } from './awaitedJobs';
import { jobFileName } from './jobFileName';

interface StoredWait {
  readonly connection: string;
  readonly organization: string;
  readonly job: string;
  /** Process ID of the waiting window's extension host. */
  readonly process: number;
}

const isStoredWait = isShape<StoredWait>({
  ...{ connection: isString, organization: isString, job: isString, process: isNumber },
});

/**
 * Records which window waits for which job, in a folder that all windows share. This lets another
 * window take over the jobs of a closed window.
 */
export class JobHandover {
  constructor(
    private readonly folder: string,
    private readonly ownProcess = process.pid,
  ) {}

  /** Records that this window waits for a job. Throws if the folder can't be written. */
  async note(job: AwaitedJob): Promise<void> {
    const wait: StoredWait = {
      ...{ connection: job.connectionId, organization: job.organizationId, job: job.jobId },
      process: this.ownProcess,
    };
    await mkdir(this.folder, { recursive: true });
    await writeFile(this.getFile(job), JSON.stringify(wait));
  }

  /** Removes the record of a job that no window needs to wait for anymore. */
  async forget(job: AwaitedJob): Promise<void> {
    await rm(this.getFile(job), { force: true });
  }

  /** Returns the jobs that closed windows were waiting for. */
  async left(): Promise<readonly AwaitedJob[]> {
    const names = await readdir(this.folder).catch(() => []);
    const waits = await Promise.all(names.map((name) => readWait(join(this.folder, name))));
    return waits.flatMap((wait) =>
      wait && wait.process !== this.ownProcess && !isRunning(wait.process) ? [awaited(wait)] : [],
    );
  }

  private getFile(job: AwaitedJob): string {
    return join(this.folder, jobFileName(job));
  }
}

/** Reads a record; undefined if another window is currently writing or removing it. */
async function readWait(file: string): Promise<StoredWait | undefined> {
  try {
    const read: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isStoredWait(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function awaited({ connection, organization, job }: StoredWait): AwaitedJob {
  return {
    connectionId: connectionId(connection),
    organizationId: organizationId(organization),
    jobId: trainingJobId(job),
  };
}
