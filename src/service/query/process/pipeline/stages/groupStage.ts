import { type Expressions, isAccumulator } from '../expressions';
import { type RunStage, type Stage, stageError } from '../stage';
import { compareValues, toGroupKey } from '../compareValues';
import { type Batches, type Document, isDocument } from '../document';
import { type Accumulator, createAccumulator, type GroupField } from './accumulators';
import { requireNamed } from '../operands';
import { afterAll, checked, parseExpression, parseOptions, requireDocument } from './stageCompiler';
import { sortStage } from './sortStage';

/** `$group`: returns one document for each distinct value of `_id`. */
export function groupStage(stage: Stage, expressions: Expressions): RunStage {
  const { _id, ...rest } = requireDocument(stage);
  if (_id === undefined) {
    throw stageError(
      stage,
      'it must have an _id to group by; null puts all documents in one group',
    );
  }
  const key = parseExpression(stage, _id);
  const groups = (): Groups =>
    new Groups(groupFields(stage, rest), expressions, (document) =>
      expressions.compute(document, key),
    );
  groups();
  return afterAll(stage, (input) => groups().of(input));
}

/** Parses the fields in a group. */
export function groupFields(stage: Stage, spec: Document): GroupField[] {
  return Object.entries(spec).map(([name, value]) => {
    const [operator = '', ...others] = Object.keys(requireDocument(stage, value, name));
    if (name.includes('.') || name.startsWith('$')) {
      throw stageError(
        stage,
        `${name} can't be the name of a field because it contains a dot or begins with $`,
      );
    }
    if (others.length > 0 || !isAccumulator(operator)) {
      throw stageError(
        stage,
        `${name} must have exactly one accumulator, such as {"$avg": "$data.readings.temperature"}`,
      );
    }
    const operand = parseExpression(stage, requireDocument(stage, value)[operator]);
    if (Array.isArray(operand)) {
      throw stageError(stage, `${name}: ${operator} needs a single expression, not an array`);
    }
    checked(stage, () => requireOperand(operator, operand));
    return { name, operator, operand };
  });
}

const OF_N = ['n', 'input'];
/** Required members of the operands of accumulators that have several. */
const OPERANDS: Readonly<Record<string, readonly string[]>> = {
  $firstN: OF_N,
  $lastN: OF_N,
  $maxN: OF_N,
  $minN: OF_N,
  $top: ['sortBy', 'output'],
  $topN: ['n', 'sortBy', 'output'],
  $bottom: ['sortBy', 'output'],
  $bottomN: ['n', 'sortBy', 'output'],
  $median: ['input', 'method'],
  $percentile: ['input', 'p', 'method'],
};

function requireOperand(operator: string, operand: unknown): void {
  const required = OPERANDS[operator];
  if (required) requireNamed(operator, operand, { known: required, required });
}

/** Documents grouped by a key. */
class Groups {
  private readonly groups = new Map<string, { id: unknown; fields: [string, Accumulator][] }>();

  constructor(
    private readonly fields: readonly GroupField[],
    private readonly expressions: Expressions,
    private readonly getId: (document: Document) => unknown,
  ) {}

  /** Returns one document for each group in the input, in order of first appearance. */
  async of(input: Batches): Promise<Iterable<Document>> {
    for await (const batch of input) {
      batch.forEach((document) => this.add(document));
    }
    return this.documents();
  }

  private *documents(): Generator<Document, void> {
    for (const { id, fields } of this.groups.values()) {
      const values = fields.map(([name, { value }]) => [name, value()] as const);
      yield { _id: id, ...Object.fromEntries(values) };
    }
  }

  private add(document: Document): void {
    const id = this.getId(document) ?? null;
    const key = toGroupKey(id);
    let group = this.groups.get(key);
    if (group === undefined) {
      group = {
        id,
        fields: this.fields.map((field) => [
          field.name,
          createAccumulator(field, this.expressions),
        ]),
      };
      this.groups.set(key, group);
    }
    for (const [, accumulator] of group.fields) {
      accumulator.add(document);
    }
  }
}

/** Default fields of a bucket. */
export const COUNT_ONLY: Document = { count: { $sum: 1 } };

/** `$bucket`: groups documents by value range. Omits ranges without documents. */
export function bucketStage(stage: Stage, expressions: Expressions): RunStage {
  const { groupBy, boundaries, fallback, fields } = parseBuckets(stage);
  const getId = (document: Document): unknown => {
    const value = expressions.compute(document, groupBy);
    const above = boundaries.findIndex((boundary) => compareValues(value, boundary) < 0);
    if (above > 0) return boundaries[above - 1];
    if (fallback === undefined) {
      throw stageError(
        stage,
        'a value is outside the boundaries; set a default, or exclude it with $match first',
      );
    }
    return fallback;
  };
  return afterAll(stage, async (input) => {
    const documents = await new Groups(fields, expressions, getId).of(input);
    return [...documents].toSorted((a, b) => compareValues(a._id, b._id));
  });
}

/**
 * `$sortByCount`: groups documents and sorts the groups by the number of documents in descending
 * order.
 */
export function sortByCountStage(stage: Stage, expressions: Expressions): RunStage {
  const { spec } = stage;
  if (!isDocument(spec) && !(typeof spec === 'string' && spec.startsWith('$'))) {
    throw stageError(stage, 'it must be the path of a field, such as "$name", or an expression');
  }
  const expression = parseExpression(stage, spec);
  const count: GroupField = { name: 'count', operator: '$sum', operand: 1 };
  const sort = sortStage({ ...stage, spec: { count: -1 } });
  const getKey = (document: Document): unknown => expressions.compute(document, expression);
  const group = afterAll(stage, (input) => new Groups([count], expressions, getKey).of(input));
  return (input) => sort(group(input));
}

interface Buckets {
  groupBy: unknown;
  boundaries: readonly unknown[];
  fallback: unknown;
  fields: readonly GroupField[];
}

function parseBuckets(stage: Stage): Buckets {
  const {
    groupBy,
    boundaries,
    default: fallback,
    output = COUNT_ONLY,
  } = parseOptions(stage, {
    known: ['groupBy', 'boundaries', 'default', 'output'],
    required: ['groupBy', 'boundaries'],
  });
  if (!Array.isArray(boundaries) || boundaries.length < 2) {
    throw stageError(stage, 'boundaries must be an array of at least two values');
  }
  const values: unknown[] = boundaries;
  const isAscending = values.every(
    (value, index) => index === 0 || compareValues(values[index - 1], value) < 0,
  );
  if (!isAscending || new Set(values.map(getValueKind)).size > 1) {
    throw stageError(stage, 'boundaries must be of one type and in ascending order');
  }
  const isWithin =
    fallback !== undefined &&
    compareValues(fallback, values[0]) >= 0 &&
    compareValues(fallback, values.at(-1)) < 0;
  if (isWithin) throw stageError(stage, 'the default must be outside the boundaries');
  const fields = groupFields(stage, requireDocument(stage, output, 'output'));
  return { groupBy: parseExpression(stage, groupBy), boundaries: values, fallback, fields };
}

function getValueKind(value: unknown): string {
  return value instanceof Date ? 'date' : typeof value;
}
