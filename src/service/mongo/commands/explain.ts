import { deserialize, type Document, serialize } from 'bson';
import { getOwn } from '../../../base/getOwn';
import { checkFields, documentField } from '../commandFields';
import { NAMESPACE, type PipelineQuery, type ReadingsPipelines } from '../readingsDatabase';
import { MongoError } from '../mongoError';
import { aggregateStages, countStages, distinctStages, findStages } from '../queryStages';
import { documentBytes, firstFieldName } from '../rawBson';
import type { PipelinePlan } from '../../query/queryJob';
import {
  type Commands,
  requireReadings,
  type RunningQuery,
  type UserCall,
  withQuery,
} from './runningQuery';
import { VERSION } from './information';
import { getStatisticsDocuments } from './statistics';

const STAGES: Readonly<Record<string, (fields: Document) => Uint8Array[]>> = {
  find: findStages,
  aggregate: aggregateStages,
  count: countStages,
  distinct: distinctStages,
};
/** Fields that contain a query's filter, by command. */
const FILTERS: Readonly<Record<string, string>> = { find: 'filter', count: 'query' };
const PLAN_ONLY = 'queryPlanner';
const VERBOSITIES: readonly unknown[] = [PLAN_ONLY, 'executionStats', 'allPlansExecution'];

/** Returns the command that explains another command. */
export function explainCommands(queries: ReadingsPipelines): Commands {
  return {
    explain: (call) => {
      const { fields, database } = call.request;
      checkFields('explain', fields, { read: ['verbosity'] });
      const command = documentField(fields, 'explain');
      const name = command && firstFieldName(command);
      if (command === undefined || name === undefined) {
        throw new MongoError('TypeMismatch', '"explain" must be a command');
      }
      const { verbosity = 'allPlansExecution' } = fields;
      const inner = {
        ...call.request,
        database,
        name,
        fields: deserialize(command, { raw: true }),
      };
      return explainQuery(queries, { ...call, request: inner }, verbosity);
    },
  };
}

/**
 * Returns a query's plan, which lists the stages that run in SQL over the readings files and the
 * stages that run in memory. There is only one plan, because there are no indexes. Unless only the
 * plan is requested, runs the query to collect execution metrics.
 * @param call call for the query, not for the explain command.
 */
export async function explainQuery(
  queries: ReadingsPipelines,
  call: UserCall,
  verbosity: unknown,
): Promise<Uint8Array> {
  const { name, fields } = call.request;
  const getStages = getOwn(STAGES, name);
  if (getStages === undefined) {
    throw new MongoError('CommandNotSupported', `the command ${name} can't be explained here`);
  }
  if (!VERBOSITIES.includes(verbosity)) {
    throw new MongoError('BadValue', `"verbosity" must be one of ${VERBOSITIES.join(', ')}`);
  }
  requireReadings(call.request);
  const all = getStages(fields);
  const documents = await getStatisticsDocuments(queries, call, all[0]);
  const pipeline = { stages: documents === undefined ? all : all.slice(1), documents };
  const { sqlStages } = await withQuery(queries, call, { ...pipeline, explain: true }, readPlan);
  const plan = winningPlan(pipeline.stages, sqlStages, documents && all[0]);
  const filter = documentField(fields, FILTERS[name] ?? '') ?? serialize({});
  const queryPlanner = documentBytes(
    { parsedQuery: filter },
    { namespace: NAMESPACE, indexFilterSet: false, winningPlan: plan, rejectedPlans: [] },
  );
  return documentBytes(
    { queryPlanner },
    {
      explainVersion: '1',
      ...(verbosity !== PLAN_ONLY && {
        executionStats: await executionStats(queries, call, pipeline, plan),
      }),
      serverInfo: { version: VERSION },
      ok: 1,
    },
  );
}

async function readPlan(query: RunningQuery): Promise<PipelinePlan> {
  const plan = await query.next();
  await query.end();
  return deserialize(plan ?? serialize({ sqlStages: 0 })) as PipelinePlan;
}

/**
 * Returns the stages as a tree. Each stage's input is the previous stage.
 * @param statistics stage whose documents the stages read instead of the readings.
 */
function winningPlan(
  stages: readonly Uint8Array[],
  sqlStages: number,
  statistics: Uint8Array | undefined,
): Document {
  const source =
    statistics === undefined
      ? { stage: 'COLLSCAN', direction: 'forward', runsIn: 'SQL' }
      : { stage: firstFieldName(statistics), runsIn: 'memory' };
  return stages.reduce<Document>(
    (inputStage, stage, index) => ({
      stage: firstFieldName(stage),
      runsIn: statistics === undefined && index < sqlStages ? 'SQL' : 'memory',
      inputStage,
    }),
    source,
  );
}

async function executionStats(
  queries: ReadingsPipelines,
  call: UserCall,
  pipeline: Pick<PipelineQuery, 'stages' | 'documents'>,
  plan: Document,
): Promise<Document> {
  const startedAt = performance.now();
  const nReturned = await withQuery(queries, call, pipeline, async (query) => {
    let count = 0;
    while ((await query.next()) !== undefined) {
      count += 1;
    }
    return count;
  });
  return {
    executionSuccess: true,
    nReturned,
    totalKeysExamined: 0,
    executionTimeMillis: Math.round(performance.now() - startedAt),
    executionStages: { ...plan, nReturned },
  };
}
