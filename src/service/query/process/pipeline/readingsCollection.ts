import type { EngineSession } from '../engineSession';
import { nestedStages } from './decodeStages';
import type { Expressions } from './expressions';
import { planPipeline, type ReadingsFields } from './pushdown/planPipeline';
import { readSelection } from './pushdown/readSelection';
import { isCut } from './pushdown/selection';
import type { Stage } from './stage';
import { parseFacets } from './stages/facetStage';
import { toStream } from './stages/subpipelineSource';
import { type Collection, throughStages } from './throughStages';
import { collect, type Document } from './values/document';

/** Stages that output the same documents each time they are read. */
const REPEATABLE: ReadonlySet<string> = new Set([
  ...['$match', '$sort', '$project', '$addFields', '$set', '$unset'],
]);

/** The readings as the input of a pipeline and of pipelines nested in its stages. */
export class ReadingsCollection implements Collection, Disposable {
  #session: EngineSession | undefined;

  /** @param open opens the session when data is read for the first time. */
  constructor(
    private readonly open: () => Promise<EngineSession>,
    private readonly fields: ReadingsFields,
  ) {}

  [Symbol.dispose](): void {
    this.#session?.[Symbol.dispose]();
  }

  leftAfterSql(stages: readonly Stage[], expressions: Expressions): readonly Stage[] {
    return planPipeline(stages, this.fields, expressions).stages;
  }

  /** @throws JobError ResourceExhausted if the read uses too much memory. */
  async *read(
    stages: readonly Stage[],
    expressions: Expressions,
  ): AsyncGenerator<readonly Document[], void> {
    const { selection, stages: left } = planPipeline(stages, this.fields, expressions);
    const [facet, ...rest] = left;
    const before = stages.slice(0, stages.length - left.length);
    const isRepeatable = !isCut(selection) && before.every(({ name }) => REPEATABLE.has(name));
    if (facet?.name === '$facet' && isRepeatable) {
      const facets = await this.#readFacets(before, facet, expressions);
      yield* throughStages(rest, expressions, this)(toStream([facets]));
      return;
    }
    this.#session ??= await this.open();
    // Streams that are read concurrently require separate connections.
    const connection = await this.#session.connect();
    try {
      const documents = readSelection(connection, selection);
      yield* throughStages(left, expressions, this)(documents);
    } finally {
      connection.closeSync();
    }
  }

  /** Reads each facet separately, so that SQL can execute part of each facet. */
  async #readFacets(
    before: readonly Stage[],
    facet: Stage,
    expressions: Expressions,
  ): Promise<Document> {
    const results: Document = {};
    for (const [name, stages] of parseFacets(facet, nestedStages)) {
      results[name] = await collect(this.read([...before, ...stages], expressions));
    }
    return results;
  }
}
