import { type Expressions, isAccumulator } from '../expressions';
import { stageError, type RunStage, type Stage } from '../stage';
import { toGroupKey } from '../values/compareValues';
import type { Batches, Document } from '../values/document';
import { createAccumulator, type Accumulator, type GroupField } from './accumulators';
import { afterAll, parseExpression, requireDocument } from './support';

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

/** Parses the fields of a group. */
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
    return { name, operator, operand };
  });
}

/** Documents grouped by a key. */
export class Groups {
  readonly #groups = new Map<string, { id: unknown; fields: [string, Accumulator][] }>();

  constructor(
    private readonly fields: readonly GroupField[],
    private readonly expressions: Expressions,
    private readonly getId: (document: Document) => unknown,
  ) {}

  /** Returns one document for each group of the input, in order of first appearance. */
  async of(input: Batches): Promise<Iterable<Document>> {
    for await (const batch of input) {
      batch.forEach((document) => this.#add(document));
    }
    return this.#documents();
  }

  *#documents(): Generator<Document, void> {
    for (const { id, fields } of this.#groups.values()) {
      const values = fields.map(([name, { value }]) => [name, value()] as const);
      yield { _id: id, ...Object.fromEntries(values) };
    }
  }

  #add(document: Document): void {
    const id = this.getId(document) ?? null;
    const key = toGroupKey(id);
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = {
        id,
        fields: this.fields.map((field) => [
          field.name,
          createAccumulator(field, this.expressions),
        ]),
      };
      this.#groups.set(key, group);
    }
    for (const [, accumulator] of group.fields) {
      accumulator.add(document);
    }
  }
}
