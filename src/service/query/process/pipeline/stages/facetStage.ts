import type { Expressions } from '../expressions';
import { stageError, type RunStage, type Stage } from '../stage';
import { checked, requireDocument, type Subpipelines, toStageError } from './stageCompiler';
import { type Batches, collect, type Document, parseFieldPath } from '../document';

/** Stages that can't be used in a facet, as in MongoDB. */
const NOT_IN_FACETS: ReadonlySet<string> = new Set(['$facet', '$geoNear', '$documents']);

/**
 * `$facet`: returns one document with the results of several pipelines that process the same
 * documents.
 */
export function facetStage(
  stage: Stage,
  expressions: Expressions,
  { parse, compile }: Subpipelines,
): RunStage {
  const facets = parseFacets(stage, parse).map(
    ([name, stages]) => [name, compile(stages, expressions)] as const,
  );
  return async function* (input) {
    const copies = new StreamCopies(input, facets.length);
    try {
      const results = await Promise.all([
        ...facets.map(([, run], index) => collect(run(copies.streams[index] ?? input))),
        copies.run(),
      ]);
      yield [Object.fromEntries(facets.map(([name], index) => [name, results[index]]))];
    } catch (error) {
      copies.end();
      throw toStageError(stage, error);
    }
  };
}

/**
 * Returns the pipelines in a `$facet` by name.
 * @throws JobError InvalidArgument
 */
export function parseFacets(
  stage: Stage,
  parse: Subpipelines['parse'],
): readonly (readonly [name: string, stages: readonly Stage[]])[] {
  const facets = Object.entries(requireDocument(stage)).map(([name, pipeline]) => {
    if (checked(stage, () => parseFieldPath(name)).length > 1) {
      throw stageError(stage, `"${name}" cannot be the name of a facet: it has a dot`);
    }
    const stages = parse(stage, pipeline, [name]);
    const unsupported = stages.find((inner) => NOT_IN_FACETS.has(inner.name));
    if (unsupported !== undefined) throw stageError(unsupported, 'it cannot be used within $facet');
    return [name, stages] as const;
  });
  if (facets.length === 0) {
    throw stageError(stage, 'it needs at least one facet, such as {"total": [{"$count": "n"}]}');
  }
  return facets;
}

/**
 * Distributes a stream's batches to all readers. Reads the next batch only after all readers have
 * received the current one, so only one batch is in memory. Readers that have finished don't
 * receive more batches.
 */
class StreamCopies {
  readonly streams: readonly Batches[];
  private readonly readers: readonly CopyReader[];

  constructor(
    private readonly input: Batches,
    count: number,
  ) {
    this.readers = Array.from({ length: count }, () => new CopyReader());
    this.streams = this.readers.map((reader) => reader.read());
  }

  /** Reads the stream to its end, or until all readers have finished. */
  async run(): Promise<void> {
    for await (const batch of this.input) {
      await Promise.all(this.readers.map((reader) => reader.pass(batch)));
      if (this.readers.every(({ isDone }) => isDone)) break;
    }
    this.end();
  }

  /** Ends all readers' streams. */
  end(): void {
    for (const reader of this.readers) {
      reader.end();
    }
  }
}

/** Reader for a copy of a stream. */
class CopyReader {
  isDone = false;
  private batch: readonly Document[] | undefined;
  private isEnded = false;
  private wake: () => void = () => undefined;
  private taken: () => void = () => undefined;

  /**
   * Passes a batch to the reader. Resolves when the reader requests the next batch or has finished.
   */
  pass(batch: readonly Document[]): Promise<void> {
    if (this.isDone || this.isEnded) return Promise.resolve();
    this.batch = batch;
    this.wake();
    return new Promise((resolve) => {
      this.taken = resolve;
    });
  }

  end(): void {
    this.isEnded = true;
    this.taken();
    this.wake();
  }

  async *read(): AsyncGenerator<readonly Document[], void> {
    try {
      while (!this.isEnded) {
        if (this.batch === undefined) {
          await new Promise<void>((resolve) => {
            this.wake = resolve;
          });
        } else {
          const batch = this.batch;
          this.batch = undefined;
          yield batch;
          this.taken();
        }
      }
    } finally {
      this.isDone = true;
      this.taken();
    }
  }
}
