import type { Expressions } from '../expressions';
import type { RunStage, Stage } from '../stage';
import { checked, requireDocument, eachDocument, parseExpression } from './support';

/** `$match`: returns the documents that meet a condition. */
export function matchStage(stage: Stage, expressions: Expressions): RunStage {
  const condition = requireDocument(stage, stage.spec, 'the condition');
  parseExpression(stage, condition.$expr);
  const test = checked(stage, () => expressions.test(condition));
  return eachDocument(stage, (document) => (test(document) ? document : undefined));
}
