import { stageError, type RunStage, type Stage } from '../stage';
import { inBatches, isNullish, type Document } from '../values/document';
import { parseFieldPath } from '../values/fieldTree';
import { valueAt, withValueAt } from '../values/valueAt';
import { checked, parseOptions } from './support';

interface Unwinding {
  path: readonly string[];
  /** Path of the field for the index of each element. */
  index: readonly string[] | undefined;
  /** True to retain documents whose array has no elements. */
  keepsEmpty: boolean;
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
    keepsEmpty: preserveNullAndEmptyArrays,
  }));
}

function* unwindDocuments(
  documents: readonly Document[],
  { path, index, keepsEmpty }: Unwinding,
): Generator<Document, void> {
  const numbered = (document: Document, position: number | null): Document =>
    index === undefined ? document : withValueAt(document, index, position);
  for (const document of documents) {
    const value = valueAt(document, path);
    if (!Array.isArray(value)) {
      if (!isNullish(value) || keepsEmpty) {
        yield numbered(document, null);
      }
    } else if (value.length === 0 && keepsEmpty) {
      yield numbered(withValueAt(document, path, undefined), null);
    } else {
      for (const [place, element] of value.entries()) {
        yield numbered(withValueAt(document, path, element), place);
      }
    }
  }
}
