import type { Expressions } from '../expressions';
import { stageError, type Stage } from '../stage';
import type { Subpipelines } from '../subpipelines';
import { inBatches, isDocument, type Batches, type Document } from '../values/document';
import { checked, parseExpression } from './support';

/** First stage of a nested pipeline that processes its own documents rather than a collection. */
export const DOCUMENTS = '$documents';
const COLLECTION = 'readings';

/** Input and stages of a nested pipeline. */
export interface SubpipelineSource {
  stages: readonly Stage[];
  /** Returns the input after the given stages have transformed it. */
  read: (stages: readonly Stage[], expressions: Expressions) => Batches;
  /** True if the pipeline reads the collection. SQL can then execute some of the stages. */
  isCollection: boolean;
}

/**
 * Parses the collection and pipeline of a stage such as `$lookup`.
 * @param option name of the option that specifies the collection
 * @throws JobError InvalidArgument
 */
export function subpipelineSource(
  stage: Stage,
  { option, collection, pipeline }: { option: string; collection: unknown; pipeline: unknown },
  subpipelines: Subpipelines,
): SubpipelineSource {
  const all = subpipelines.parse(stage, pipeline, ['pipeline']);
  const [first, ...rest] = all;
  const late = rest.find(({ name }) => name === DOCUMENTS);
  if (late !== undefined) {
    throw stageError(late, 'it can only be the first stage of a pipeline');
  }
  if (collection !== undefined && collection !== COLLECTION) {
    const path = typeof stage.spec === 'string' ? [] : [option];
    const message = `${option} must be "${COLLECTION}": there is no other collection`;
    throw stageError(stage, message, { path });
  }
  if (first?.name === DOCUMENTS) {
    if (collection !== undefined) {
      throw stageError(first, `it replaces ${option}; use only one of them`);
    }
    parseExpression(first, first.spec);
    return {
      stages: rest,
      read: (stages, expressions) =>
        subpipelines.compile(stages, expressions)(toStream(literalDocuments(first, expressions))),
      isCollection: false,
    };
  }
  if (collection === undefined) {
    const message = `it needs ${option}, or a pipeline that begins with ${DOCUMENTS}`;
    throw stageError(stage, message);
  }
  return { stages: all, read: subpipelines.read, isCollection: true };
}

function literalDocuments(stage: Stage, expressions: Expressions): readonly Document[] {
  const documents = checked(stage, () => expressions.compute({}, stage.spec));
  if (!Array.isArray(documents) || !documents.every(isDocument)) {
    throw stageError(stage, 'it must be an array of documents');
  }
  return documents;
}

/** Returns documents in memory as a stream. */
export async function* toStream(
  documents: readonly Document[],
): AsyncGenerator<readonly Document[], void> {
  await Promise.resolve();
  yield* inBatches(documents);
}
