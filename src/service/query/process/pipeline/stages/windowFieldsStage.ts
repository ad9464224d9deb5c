import { Lazy } from 'mingo/lazy';
import { $setWindowFields } from 'mingo/operators/pipeline';
import * as windows from 'mingo/operators/window';
import { isAccumulator, type Expressions } from '../expressions';
import { stageError, type RunStage, type Stage } from '../stage';
import { collect, type Document } from '../values/document';
import { pathOf } from '../values/fieldTree';
import { valueAt, withValueAt } from '../values/valueAt';
import { sortKeys } from './sortStage';
import { afterAll, checked, documentOf, expressionOf, optionsOf } from './support';

type WindowFields = Parameters<typeof $setWindowFields>[1];

/** `$setWindowFields`: adds to each document what is computed of those around it. */
export function windowFieldsStage(stage: Stage, expressions: Expressions): RunStage {
  const spec = optionsOf(stage, {
    known: ['partitionBy', 'sortBy', 'output'],
    required: ['output'],
  });
  if (spec.sortBy !== undefined) {
    sortKeys(stage, spec.sortBy, 'sortBy');
  }
  expressionOf(stage, spec.partitionBy);
  const output = Object.entries(documentOf(stage, spec.output, 'output'));
  const paths = output.map(([name, field]) => {
    checkWindowField(stage, name, documentOf(stage, field, name));
    return checked(stage, () => pathOf(name));
  });
  const { windowOptions } = expressions;
  return afterAll(stage, async (input) => {
    // mingo writes into what is embedded, which other documents may share.
    const own = (document: Document): Document =>
      paths
        .filter((path) => path.length > 1)
        .reduce((copy, path) => withValueAt(copy, path, valueAt(copy, path) ?? null), document);
    const documents = (await collect(input)).map(own);
    return $setWindowFields(
      Lazy(documents),
      spec as unknown as WindowFields,
      windowOptions,
    ).collect<Document>();
  });
}

function checkWindowField(stage: Stage, name: string, field: Document): void {
  const operators = Object.keys(field).filter((key) => key !== 'window');
  const [operator = ''] = operators;
  const isKnown =
    operator in windows || isAccumulator(operator) || operator.startsWith('$covariance');
  if (operators.length !== 1 || !isKnown) {
    throw stageError(
      stage,
      `${name} must have exactly one operator, such as {"$avg": "$data.readings.temperature"}`,
    );
  }
}
