import type { PipelineJob } from '../query/queryJob';

/**
 * Name of the database. Both this name and the collection's name are the same as in the public
 * cloud.
 */
export const DATABASE = 'sensorData';
export const COLLECTION = 'readings';
export const NAMESPACE = `${DATABASE}.${COLLECTION}`;
/** Database for user lookups and for commands that affect the whole server. */
export const ADMIN_DATABASE = 'admin';

const USER_PREFIX = 'db-user-';
/** Only names with a valid organization ID are looked up. */
const USER_NAME = /^db-user-([\w-]{1,64})$/;

/** Returns the name of an organization's database user. */
export function databaseUserName(organizationId: string): string {
  return USER_PREFIX + organizationId;
}

/**
 * Returns the organization ID in a database user's name; undefined if no organization's user can
 * have this name.
 */
export function parseUserOrganization(userName: string): string | undefined {
  return USER_NAME.exec(userName)?.[1];
}

/** A pipeline that runs on an organization's readings or on other documents. */
export type PipelineQuery = Pick<PipelineJob, 'stages' | 'documents' | 'explain' | 'hasIds'>;

/** Runs aggregation pipelines over an organization's readings. */
export interface ReadingsPipelines {
  /**
   * Yields the BSON documents of the result as they arrive. The query stops when the iteration ends
   * or the signal aborts.
   * @param query as in a `PipelineJob`.
   * @throws ConnectError that can be sent to callers of the service.
   */
  run(
    organizationId: string,
    query: PipelineQuery,
    options: { recent: boolean },
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array>;

  /** Returns the total size of an organization's readings files, in bytes. */
  getStoredBytes(organizationId: string): Promise<number>;
}
