import type { Expressions } from './expressions';
import type { RunStage, Stage, StagePath } from './stage';
import type { Batches } from './values/document';

/** Pipelines within stages, and the collection that they read. */
export interface Subpipelines {
  /** Reads the stages of a pipeline in the specification of a stage. @throws JobError InvalidArgument */
  parse: (stage: Stage, pipeline: unknown, path: StagePath) => Stage[];
  /** Makes stages ready to run. @throws JobError InvalidArgument */
  compile: (stages: readonly Stage[], expressions: Expressions) => RunStage;
  /** The documents that stages make of all readings. The caller may read others in the meantime. */
  read: (stages: readonly Stage[], expressions: Expressions) => Batches;
  /** The stages that are left when SQL has done what it can. */
  leftAfterSql: (stages: readonly Stage[], expressions: Expressions) => readonly Stage[];
}
