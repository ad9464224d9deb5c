import { type RunStage, type Stage, stageError } from '../stage';
import { afterAll, checked, parseCount, parseOptions } from './stageCompiler';
import {
  type Document,
  inBatches,
  isNullish,
  parseFieldPath,
  valueAt,
  withValueAt,
} from '../document';

/** `$limit`: returns the first documents and doesn't read later ones. */
export function limitStage(stage: Stage): RunStage {
  const limit = parseCount(stage, stage.spec, 1);
  return async function* (input) {
    let left = limit;
    for await (const batch of input) {
      yield batch.slice(0, left);
      left -= batch.length;
      if (left <= 0) return;
    }
  };
}

/** `$skip`: returns all documents except the first ones. */
export function skipStage(stage: Stage): RunStage {
  const skip = parseCount(stage, stage.spec, 0);
  return async function* (input) {
    let left = skip;
    for await (const batch of input) {
      if (left < batch.length) yield batch.slice(left);
      left = Math.max(0, left - batch.length);
    }
  };
}

/**
 * `$count`: returns one document with the number of input documents, or nothing if there are none.
 */
export function countStage(stage: Stage): RunStage {
  const field = countField(stage);
  return afterAll(stage, async (input) => {
    let count = 0;
    for await (const batch of input) {
      count += batch.length;
    }
    return count === 0 ? [] : [{ [field]: count }];
  });
}

/** Returns the name of the field in which `$count` returns its result. */
export function countField(stage: Stage): string {
  const { spec } = stage;
  if (typeof spec !== 'string' || spec === '' || spec.startsWith('$') || spec.includes('.')) {
    throw stageError(stage, 'it must name the field for the count, without $ and dots');
  }
  return spec;
}

/** `$sample`: selects random documents, each at most once. */
export function sampleStage(stage: Stage): RunStage {
  const size = sampleSize(stage);
  return afterAll(stage, async (input) => {
    const chosen: Document[] = [];
    let seen = 0;
    for await (const batch of input) {
      for (const document of batch) {
        seen++;
        const slot = chosen.length < size ? chosen.length : Math.floor(Math.random() * seen);
        if (slot < size) chosen[slot] = document;
      }
    }
    return chosen;
  });
}

/** Returns the number of documents that `$sample` selects. */
export function sampleSize(stage: Stage): number {
  const options = parseOptions(stage, { known: ['size'], required: ['size'] });
  return parseCount(stage, options.size, 1, 'size');
}

interface Unwinding {
  path: readonly string[];
  /** Path of the field for the index of each element. */
  index: readonly string[] | undefined;
  /** True to retain documents whose array has no elements. */
  preserveEmpty: boolean;
}

/** `$unwind`: returns one document for each element of an array field. */
export function unwindStage(stage: Stage): RunStage {
  const unwinding = parseUnwinding(stage);
  return async function* (input) {
    for await (const batch of input) {
      yield* inBatches(unwindDocuments(batch, unwinding));
    }
  };
}

function parseUnwinding(stage: Stage): Unwinding {
  const known = ['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'];
  const options =
    typeof stage.spec === 'string'
      ? { path: stage.spec }
      : parseOptions(stage, { known, required: ['path'] });
  const { path, includeArrayIndex, preserveNullAndEmptyArrays = false } = options;
  if (typeof path !== 'string' || !path.startsWith('$')) {
    throw stageError(stage, 'the path of the array must begin with $, such as "$tags"');
  }
  if (includeArrayIndex !== undefined && typeof includeArrayIndex !== 'string') {
    throw stageError(stage, 'includeArrayIndex must name a field');
  }
  if (typeof preserveNullAndEmptyArrays !== 'boolean') {
    throw stageError(stage, 'preserveNullAndEmptyArrays must be true or false');
  }
  return checked(stage, () => ({
    path: parseFieldPath(path.slice(1)),
    index: includeArrayIndex === undefined ? undefined : parseFieldPath(includeArrayIndex),
    preserveEmpty: preserveNullAndEmptyArrays,
  }));
}

function* unwindDocuments(
  documents: readonly Document[],
  { path, index, preserveEmpty }: Unwinding,
): Generator<Document, void> {
  const numbered = (document: Document, position: number | null): Document =>
    index === undefined ? document : withValueAt(document, index, position);
  for (const document of documents) {
    const value = valueAt(document, path);
    if (!Array.isArray(value)) {
      if (!isNullish(value) || preserveEmpty) yield numbered(document, null);
    } else if (value.length === 0 && preserveEmpty) {
      yield numbered(withValueAt(document, path, undefined), null);
    } else {
      for (const [place, element] of value.entries()) {
        yield numbered(withValueAt(document, path, element), place);
      }
    }
  }
}
