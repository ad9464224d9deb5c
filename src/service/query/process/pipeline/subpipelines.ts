import type { Expressions } from './expressions';
import type { RunStage, Stage, StagePath } from './stage';
import type { Batches } from './values/document';

/** Support for nested pipelines. Parses and compiles them, and reads the collection for them. */
export interface Subpipelines {
  /**
   * Parses the stages of a pipeline in the specification of a stage.
   * @throws JobError InvalidArgument
   */
  parse: (stage: Stage, pipeline: unknown, path: StagePath) => Stage[];
  /**
   * Compiles stages.
   * @throws JobError InvalidArgument
   */
  compile: (stages: readonly Stage[], expressions: Expressions) => RunStage;
  /**
   * Returns all readings after the given stages have transformed them. The caller can run other
   * reads concurrently.
   */
  read: (stages: readonly Stage[], expressions: Expressions) => Batches;
  /** Returns the stages that remain after other stages have been pushed down to SQL. */
  leftAfterSql: (stages: readonly Stage[], expressions: Expressions) => readonly Stage[];
}
