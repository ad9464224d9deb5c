import { Code } from '@connectrpc/connect';
import type { Jobs } from './processJob';
import { JobError } from './jobError';

/**
 * Loads the module that runs jobs. The module includes a native part, which an installation might
 * lack.
 * @throws JobError Unimplemented
 */
export async function loadJobs(): Promise<Jobs> {
  try {
    return await import('./runJob');
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    const isMissing =
      error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
    const target = `${process.platform}-${process.arch}`;
    throw new JobError(
      Code.Unimplemented,
      `queries are not available in this installation: the query engine for ${target} ${isMissing ? 'is not installed' : "can't be loaded on this system"}`,
      { cause: error },
    );
  }
}
