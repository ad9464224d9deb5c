import { stageError, type RunStage, type Stage } from '../stage';
import { afterAll, parseCount, parseOptions } from './support';
import type { Document } from '../values/document';

/** `$limit`: returns the first documents and doesn't read later ones. */
export function limitStage(stage: Stage): RunStage {
  const limit = parseCount(stage, stage.spec, 1);
  return async function* (input) {
    let left = limit;
    for await (const batch of input) {
      yield batch.slice(0, left);
      left -= batch.length;
      if (left <= 0) {
        return;
      }
    }
  };
}

/** `$skip`: returns all documents except the first ones. */
export function skipStage(stage: Stage): RunStage {
  const skip = parseCount(stage, stage.spec, 0);
  return async function* (input) {
    let left = skip;
    for await (const batch of input) {
      if (left < batch.length) {
        yield batch.slice(left);
      }
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
        if (slot < size) {
          chosen[slot] = document;
        }
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
