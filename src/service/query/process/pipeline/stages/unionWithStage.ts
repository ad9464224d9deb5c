import type { Expressions } from '../expressions';
import type { RunStage, Stage } from '../stage';
import type { Subpipelines } from '../subpipelines';
import { subpipelineSource } from './subpipelineSource';
import { parseOptions } from './support';

/** `$unionWith`: returns the input documents, followed by the documents of another pipeline. */
export function unionWithStage(
  stage: Stage,
  expressions: Expressions,
  subpipelines: Subpipelines,
): RunStage {
  const { coll, pipeline = [] } =
    typeof stage.spec === 'string'
      ? { coll: stage.spec }
      : parseOptions(stage, { known: ['coll', 'pipeline'], required: [] });
  const source = subpipelineSource(
    stage,
    { option: 'coll', collection: coll, pipeline },
    subpipelines,
  );
  // Compiles the stages before any data is read, so that errors are reported early.
  subpipelines.compile(source.stages, expressions);
  return async function* (input) {
    yield* input;
    yield* source.read(source.stages, expressions);
  };
}
