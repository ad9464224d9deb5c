import type { Expressions } from '../expressions';
import { stageError, type RunStage, type Stage } from '../stage';
import { isDocument } from '../values/document';
import { eachDocument, expressionOf, optionsOf } from './support';

/** `$replaceRoot` and `$replaceWith`: replaces each document with an embedded or computed one. */
export function replaceRootStage(stage: Stage, expressions: Expressions): RunStage {
  const expression = expressionOf(
    stage,
    stage.name === '$replaceWith'
      ? stage.spec
      : optionsOf(stage, { known: ['newRoot'], required: ['newRoot'] }).newRoot,
  );
  return eachDocument(stage, (document) => {
    const root = expressions.compute(document, expression);
    if (!isDocument(root)) {
      throw stageError(stage, 'the new root must be a document; exclude others with $match first');
    }
    return root;
  });
}
