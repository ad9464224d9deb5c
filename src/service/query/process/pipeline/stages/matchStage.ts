import type { Expressions } from '../expressions';
import type { RunStage, Stage } from '../stage';
import { checked, documentOf, eachDocument, expressionOf } from './support';

/** `$match`: the documents that meet a condition. */
export function matchStage(stage: Stage, expressions: Expressions): RunStage {
  const condition = documentOf(stage, stage.spec, 'the condition');
  expressionOf(stage, condition.$expr);
  const test = checked(stage, () => expressions.test(condition));
  return eachDocument(stage, (document) => (test(document) ? document : undefined));
}
