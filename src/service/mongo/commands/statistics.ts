import { deserialize, type Document, serialize } from 'bson';
import { checkFields } from '../commandFields';
import { COLLECTION, DATABASE, NAMESPACE, type ReadingsPipelines } from '../readingsDatabase';
import { MongoError } from '../mongoError';
import { countStages, STATISTICS_STAGES } from '../queryStages';
import { firstFieldName } from '../rawBson';
import {
  type Commands,
  readCount,
  requireReadings,
  type UserCall,
  withQuery,
} from './runningQuery';

interface StorageStats {
  count: number;
  size: number;
  avgObjSize: number;
  scaleFactor: number;
}

/**
 * Returns the commands that report the size of the data that the user can read. Sizes refer to the
 * files on disk.
 */
export function statisticsCommands(queries: ReadingsPipelines): Commands {
  const collStats = async (call: UserCall): Promise<Document> => {
    requireReadings(call.request);
    const { name, fields } = call.request;
    checkFields(name, fields, { read: ['scale'] });
    return {
      ns: NAMESPACE,
      ...toCollectionStats(await getStorageStats(queries, call, fields.scale)),
    };
  };
  const dbStats = async (call: UserCall): Promise<Document> => {
    const { name, database, fields } = call.request;
    checkFields(name, fields, { read: ['scale'], ignored: ['freeStorage'] });
    if (database !== DATABASE) {
      throw new MongoError('Unauthorized', `not authorized to run ${name} on ${database}`);
    }
    const stats = await getStorageStats(queries, call, fields.scale);
    const { count, size, avgObjSize, scaleFactor } = stats;
    return {
      db: DATABASE,
      collections: 1,
      views: 0,
      objects: count,
      avgObjSize,
      dataSize: size,
      storageSize: size,
      indexes: 0,
      indexSize: 0,
      totalSize: size,
      scaleFactor,
    };
  };
  return { collStats, collstats: collStats, dbStats, dbstats: dbStats };
}

/**
 * Returns the input documents for a pipeline that starts with a statistics stage for the
 * collection.
 * @returns undefined for other pipelines.
 */
export async function getStatisticsDocuments(
  queries: ReadingsPipelines,
  call: UserCall,
  firstStage: Uint8Array | undefined,
): Promise<Uint8Array[] | undefined> {
  const name = firstStage === undefined ? undefined : firstFieldName(firstStage);
  if (firstStage === undefined || name === undefined || !STATISTICS_STAGES.includes(name)) {
    return undefined;
  }
  const options: unknown = deserialize(firstStage)[name];
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new MongoError('TypeMismatch', `the specification of ${name} must be an object`);
  }
  if (name === '$indexStats') return [];
  const { storageStats, count, ...others } = options as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new MongoError('CommandNotSupported', `${name}: the option "${other}" is not supported`);
  }
  const { scale } = (storageStats ?? {}) as { scale?: unknown };
  const stats = await getStorageStats(queries, call, scale);
  return [
    serialize({
      ns: NAMESPACE,
      localTime: new Date(),
      ...(storageStats !== undefined && { storageStats: toCollectionStats(stats) }),
      ...(count !== undefined && { count: stats.count }),
    }),
  ];
}

async function getStorageStats(
  queries: ReadingsPipelines,
  call: UserCall,
  scale: unknown = 1,
): Promise<StorageStats> {
  if (typeof scale !== 'number' || !Number.isFinite(scale) || scale < 1) {
    throw new MongoError('BadValue', '"scale" must be a number from 1 on');
  }
  const scaleFactor = Math.floor(scale);
  const stages = countStages({ count: COLLECTION });
  const count = await withQuery(queries, call, { stages }, readCount);
  const bytes = await queries.getStoredBytes(call.user.organizationId);
  return {
    count,
    size: Math.floor(bytes / scaleFactor),
    scaleFactor,
    avgObjSize: count === 0 ? 0 : Math.floor(bytes / count),
  };
}

function toCollectionStats({ size, ...stats }: StorageStats): Document {
  return {
    ...stats,
    size,
    storageSize: size,
    totalSize: size,
    freeStorageSize: 0,
    capped: false,
    nindexes: 0,
    totalIndexSize: 0,
    indexSizes: {},
    indexDetails: {},
    indexBuilds: [],
  };
}
