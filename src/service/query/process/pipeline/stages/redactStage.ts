import type { Expressions } from '../expressions';
import { stageError, type RunStage, type Stage } from '../stage';
import { isDocument, type Document } from '../values/document';
import { eachDocument, parseExpression } from './support';

/** `$redact`: decides for each document, and for each embedded document, whether to retain it. */
export function redactStage(stage: Stage, expressions: Expressions): RunStage {
  const expression = parseExpression(stage, stage.spec);
  const redacted = (document: Document): Document | undefined => {
    const decision = expressions.compute(document, expression);
    switch (decision) {
      case '$$KEEP':
        return document;
      case '$$PRUNE':
        return undefined;
      case '$$DESCEND':
        return Object.fromEntries(
          Object.entries(document)
            .map(([name, value]) => [name, within(value, redacted)] as const)
            .filter(([, value]) => value !== undefined),
        );
      default:
        throw stageError(
          stage,
          'it must evaluate to $$KEEP, $$PRUNE, or $$DESCEND for every document',
        );
    }
  };
  return eachDocument(stage, redacted);
}

function within(value: unknown, redacted: (document: Document) => unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => within(item, redacted)).filter((item) => item !== undefined);
  }
  return isDocument(value) ? redacted(value) : value;
}
