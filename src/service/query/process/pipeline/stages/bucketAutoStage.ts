import { Lazy } from 'mingo/lazy';
import { $bucketAuto } from 'mingo/operators/pipeline';
import type { Expressions } from '../expressions';
import { stageError, type RunStage, type Stage } from '../stage';
import { collect, type Document } from '../values/document';
import { COUNT_ONLY } from './bucketStage';
import { groupFields } from './groupStage';
import { afterAll, parseCount, requireDocument, parseExpression, parseOptions } from './support';

type BucketAuto = Parameters<typeof $bucketAuto>[1];

/**
 * `$bucketAuto`: groups documents into a given number of value ranges, each with about the same
 * number of documents.
 */
export function bucketAutoStage(stage: Stage, expressions: Expressions): RunStage {
  const options = parseOptions(stage, {
    known: ['groupBy', 'buckets', 'output', 'granularity'],
    required: ['groupBy', 'buckets'],
  });
  const { groupBy, buckets, granularity, output = COUNT_ONLY } = options;
  parseExpression(stage, groupBy);
  parseCount(stage, buckets, 1, 'buckets');
  if (granularity !== undefined && typeof granularity !== 'string') {
    throw stageError(
      stage,
      'granularity must name a series of numbers, such as "R5" or "POWERSOF2"',
    );
  }
  groupFields(stage, requireDocument(stage, output, 'output'));
  const { stageOptions } = expressions;
  return afterAll(stage, async (input) => {
    const documents = await collect(input);
    if (documents.length === 0) {
      return [];
    }
    const found = $bucketAuto(Lazy(documents), { ...options, output } as BucketAuto, stageOptions);
    return found.collect<Document>().map(({ _id, ...fields }) => ({ _id, ...fields }));
  });
}
