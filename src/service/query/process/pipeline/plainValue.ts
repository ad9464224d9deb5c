import { BSONRegExp, BSONSymbol, Code, Decimal128, Long } from 'bson';
import { stageError, type Stage, type StagePath } from './stage';
import { isDocument } from './values/document';

const MAX_DEPTH = 100;

/** Operators that run the caller's code. */
const SCRIPTS: ReadonlySet<string> = new Set(['$where', '$function', '$accumulator']);

/**
 * Converts a value in a stage to the form that stages evaluate. All numbers become JavaScript
 * numbers, and patterns become `RegExp`. Rejects anything that could access data other than the
 * documents.
 * @throws JobError InvalidArgument for code, excessive nesting, and names that have a special
 *   meaning in JavaScript.
 */
export function plainValue(stage: Stage, value: unknown, path: StagePath = []): unknown {
  if (path.length > MAX_DEPTH) {
    throw stageError(stage, `it is nested deeper than ${String(MAX_DEPTH)} levels`);
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => plainValue(stage, item, [...path, String(index)]));
  }
  if (isDocument(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const inner = [...path, name];
        checkName(stage, name, inner);
        return [name, plainValue(stage, member, inner)];
      }),
    );
  }
  return plainScalar(stage, value, path);
}

function plainScalar(stage: Stage, value: unknown, path: StagePath): unknown {
  if (typeof value === 'string') {
    checkPath(stage, value, path);
    return value;
  }
  if (value instanceof Long) {
    return value.toNumber();
  }
  if (value instanceof Decimal128) {
    return Number(value.toString());
  }
  if (value instanceof BSONSymbol) {
    return value.value;
  }
  if (value instanceof BSONRegExp) {
    return pattern(stage, value, path);
  }
  if (value instanceof Code) {
    throw stageError(stage, 'JavaScript code is not supported; use expressions such as $cond', {
      path,
    });
  }
  return value;
}

function checkName(stage: Stage, name: string, path: StagePath): void {
  if (SCRIPTS.has(name)) {
    throw stageError(stage, `${name} is not supported; use expressions such as $cond`, { path });
  }
  checkPath(stage, name, path);
}

function checkPath(stage: Stage, text: string, path: StagePath): void {
  if (text.includes('__proto__') && text.split(/[.$]/u).includes('__proto__')) {
    throw stageError(stage, 'the name __proto__ is not allowed', { path });
  }
}

function pattern(stage: Stage, { pattern: source, options }: BSONRegExp, path: StagePath): RegExp {
  const flags = options.replaceAll('u', '');
  try {
    if (/^[ims]*$/u.test(flags)) {
      return new RegExp(source, flags);
    }
  } catch (error) {
    throw stageError(stage, `/${source}/ is not a valid pattern`, {
      ...{ cause: error, path },
    });
  }
  throw stageError(
    stage,
    `the pattern /${source}/ has the options ${options}; only i, m, and s are supported`,
    { path },
  );
}
