import type { Expressions } from '../expressions';
import { stageError, type RunStage, type Stage } from '../stage';
import { isDocument } from '../values/document';
import { eachDocument, parseExpression, parseOptions } from './support';

/** `$replaceRoot` and `$replaceWith`: replaces each document with an embedded or computed one. */
export function replaceRootStage(stage: Stage, expressions: Expressions): RunStage {
  const expression = parseExpression(
    stage,
    stage.name === '$replaceWith'
      ? stage.spec
      : parseOptions(stage, { known: ['newRoot'], required: ['newRoot'] }).newRoot,
  );
  return eachDocument(stage, (document) => {
    const root = expressions.compute(document, expression);
    if (!isDocument(root)) {
      throw stageError(stage, 'the new root must be a document; exclude others with $match first');
    }
    return root;
  });
}
