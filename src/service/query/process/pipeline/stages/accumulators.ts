import type { Expressions } from '../expressions';
import { type Document, isDocument } from '../document';
import { GATHERERS, requireCount } from '../gatherers';
import { parseSortKeys, sortDocuments } from '../sortKeys';

/** Field in a group: its accumulator and its input. */
export interface GroupField {
  name: string;
  operator: string;
  operand: unknown;
}

/** Accumulator for a value over the documents in a group. */
export interface Accumulator {
  add: (document: Document) => void;
  value: () => unknown;
}

/**
 * Returns the accumulator for a field in a group. Accumulators that don't need the documents don't
 * store them.
 */
export function createAccumulator(field: GroupField, expressions: Expressions): Accumulator {
  const { operator, operand } = field;
  const top = TOP[operator];
  if (top !== undefined) return createTopAccumulator(field, top, expressions);
  const gather = GATHERERS[operator];
  if (gather === undefined) {
    const documents: Document[] = [];
    return {
      add: (document) => documents.push(document),
      value: () => expressions.accumulate(operator, documents, operand) ?? null,
    };
  }
  const { take, value } = gather();
  return { add: (document) => take(expressions.compute(document, operand)), value };
}

interface TopAccumulator {
  /** Returns the best documents of a list that is sorted. */
  readonly select: (sorted: readonly Document[], n: number) => readonly Document[];
  readonly isSingle: boolean;
}

const selectFirst: TopAccumulator['select'] = (sorted, n) => sorted.slice(0, n);
const selectLast: TopAccumulator['select'] = (sorted, n) => sorted.slice(-n);

/** Accumulators that select documents by their position in an order. */
const TOP: Readonly<Record<string, TopAccumulator>> = {
  $top: { select: selectFirst, isSingle: true },
  $topN: { select: selectFirst, isSingle: false },
  $bottom: { select: selectLast, isSingle: true },
  $bottomN: { select: selectLast, isSingle: false },
};

/** Number of documents beyond twice the result that are stored before they are sorted. */
const TOP_BATCH = 1_000;

function createTopAccumulator(
  { operator, operand }: GroupField,
  { select, isSingle }: TopAccumulator,
  expressions: Expressions,
): Accumulator {
  if (!isDocument(operand) || !('output' in operand)) {
    throw new TypeError(`${operator} must have sortBy and output`);
  }
  const keys = parseSortKeys(operand.sortBy, `sortBy of ${operator}`);
  const count = isSingle ? 1 : requireCount(expressions.compute({}, operand.n));
  let documents: readonly Document[] = [];
  let added: Document[] = [];
  const merge = (): void => {
    documents = select(sortDocuments([...documents, ...added], keys), count);
    added = [];
  };
  return {
    add: (document) => {
      added.push(document);
      if (added.length >= count + TOP_BATCH) merge();
    },
    value: () => {
      merge();
      const outputs = documents.map((one) => expressions.compute(one, operand.output) ?? null);
      return isSingle ? (outputs[0] ?? null) : outputs;
    },
  };
}
