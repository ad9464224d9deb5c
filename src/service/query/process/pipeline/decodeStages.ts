import { BSONError, deserialize } from 'bson';
import { invalidQuery } from '../jobError';
import { plainValue } from './plainValue';
import { stageError, type Stage } from './stage';
import { STAGE_NAMES } from './stages/compileStage';

const MAX_STAGES = 100;

/**
 * Reads the stages of a pipeline: a BSON document for each.
 * @throws JobError InvalidArgument, naming the stage, for what is not a stage or not among those that
 *   this service runs.
 */
export function decodeStages(documents: readonly Uint8Array[]): Stage[] {
  if (documents.length > MAX_STAGES) {
    throw invalidQuery(
      `the pipeline has ${String(documents.length)} stages; ${String(MAX_STAGES)} can be run at most`,
    );
  }
  return documents.map((bytes, index) => decodeStage(bytes, index + 1));
}

function decodeStage(bytes: Uint8Array, position: number): Stage {
  const entries = Object.entries(decodeDocument(bytes, position));
  const [name, spec] = entries[0] ?? [];
  if (name === undefined || entries.length > 1) {
    const found = entries.map(([key]) => key).join(', ');
    throw invalidQuery(
      `stage ${String(position)}: a stage has exactly one field, its name, such as {"$limit": 10}; ` +
        `this one has ${found === '' ? 'none' : found}`,
      { place: { stage: position - 1, path: entries.slice(1, 2).map(([key]) => key) } },
    );
  }
  if (!STAGE_NAMES.includes(name)) {
    throw stageError(
      { name, position },
      `there is no such stage here; these can be used: ${STAGE_NAMES.join(' ')}`,
    );
  }
  const stage = { name, spec, position };
  return { ...stage, spec: plainValue(stage, spec) };
}

function decodeDocument(bytes: Uint8Array, position: number): Record<string, unknown> {
  try {
    return deserialize(bytes, {
      promoteLongs: false,
      bsonRegExp: true,
      validation: { utf8: true },
    });
  } catch (error) {
    if (error instanceof BSONError || error instanceof RangeError) {
      throw invalidQuery(`stage ${String(position)}: this is not a BSON document`, {
        place: { stage: position - 1, path: [] },
        cause: error,
      });
    }
    throw error;
  }
}
