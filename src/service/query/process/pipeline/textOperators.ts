import { isNullish } from './document';
import { compilePattern } from './patterns';
import { evaluate } from './evaluate';
import { evaluateList, evaluateNamed, type ExpressionOperators, type Operator } from './operands';

/**
 * Operators on text that behave differently in mingo than in MongoDB: some treat null and missing
 * values as empty text, and positions count bytes of UTF-8 or code points.
 */
export const textOperators: Readonly<ExpressionOperators> = {
  $toLower: (document, operand, options) =>
    toText('$toLower', evaluate(document, operand, options)).toLowerCase(),
  $toUpper: (document, operand, options) =>
    toText('$toUpper', evaluate(document, operand, options)).toUpperCase(),
  $strcasecmp: (...operands) => {
    const [left, right] = evaluateList('$strcasecmp', operands, [2, 2]).map((value) =>
      toText('$strcasecmp', value).toUpperCase(),
    ) as [string, string];
    return left === right ? 0 : left < right ? -1 : 1;
  },
  $indexOfBytes: indexing('$indexOfBytes', (text) => Buffer.from(text)),
  $indexOfCP: indexing('$indexOfCP', toCodePoints),
  $substr: substring('$substr'),
  $substrBytes: substring('$substrBytes'),
  $substrCP: (...operands) => {
    const [value, start, length] = evaluateList('$substrCP', operands, [3, 3]);
    const from = requireWhole('$substrCP', start);
    const count = requireWhole('$substrCP', length);
    return Array.from(toText('$substrCP', value))
      .slice(from, from + count)
      .join('');
  },
  $split: (...operands) => {
    const [text, separator] = evaluateList('$split', operands, [2, 2]);
    if (isNullish(text) || isNullish(separator)) return null;
    if (typeof text !== 'string' || typeof separator !== 'string') {
      throw new TypeError('$split needs text');
    }
    if (separator === '') throw new TypeError('the separator of $split must not be empty');
    return text.split(separator);
  },
  $binarySize: (document, operand, options) => {
    const value: unknown = evaluate(document, operand, options);
    if (isNullish(value)) return null;
    const size: unknown =
      typeof value === 'string' ? Buffer.byteLength(value) : Reflect.get(Object(value), 'position');
    if (typeof size !== 'number') throw new TypeError('$binarySize needs text or bytes');
    return size;
  },
  $replaceOne: replacing('$replaceOne', (input, find, replacement) =>
    input.replace(find, () => replacement),
  ),
  $replaceAll: replacing('$replaceAll', (input, find, replacement) =>
    input.split(find).join(replacement),
  ),
  $trim: trimming('$trim', { left: true, right: true }),
  $ltrim: trimming('$ltrim', { left: true, right: false }),
  $rtrim: trimming('$rtrim', { left: false, right: true }),
  $regexMatch: (...operands) => findMatches('$regexMatch', operands).next().done !== true,
  $regexFind: (...operands) => findMatches('$regexFind', operands).next().value ?? null,
  $regexFindAll: (...operands) => [...findMatches('$regexFindAll', operands)],
};

/** Returns the text of a value. Null and missing values are empty. */
function toText(name: string, value: unknown): string {
  if (isNullish(value)) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new TypeError(`${name} needs text`);
}

function requireWhole(name: string, value: unknown): number {
  if (!Number.isInteger(value) || Number(value) < 0) {
    throw new TypeError(`${name} needs whole numbers that are not negative`);
  }
  return Number(value);
}

function toCodePoints(text: string): Uint32Array {
  return Uint32Array.from(Array.from(text, (character) => character.codePointAt(0) ?? 0));
}

function indexing(name: string, split: (text: string) => Uint8Array | Uint32Array): Operator {
  return (...operands) => {
    const [text, part, start = 0, end] = evaluateList(name, operands, [2, 4]);
    if (isNullish(text)) return null;
    if (typeof text !== 'string' || typeof part !== 'string') {
      throw new TypeError(`${name} needs text`);
    }
    const [units, searched] = [split(text), split(part)];
    const to = Math.min(end === undefined ? units.length : requireWhole(name, end), units.length);
    for (let from = requireWhole(name, start); from + searched.length <= to; from += 1) {
      if (searched.every((unit, offset) => units[from + offset] === unit)) return from;
    }
    return -1;
  };
}

/** A negative start has no text, and a negative length means the rest. */
function substring(name: string): Operator {
  return (...operands) => {
    const [value, start, length] = evaluateList(name, operands, [3, 3]);
    const bytes = Buffer.from(toText(name, value));
    if (typeof start !== 'number' || typeof length !== 'number') {
      throw new TypeError(`${name} needs a start and a length`);
    }
    if (start < 0) return '';
    const [from, end] = [Math.trunc(start), Math.trunc(start) + Math.trunc(length)];
    const part = bytes.subarray(from, length < 0 ? undefined : end);
    if (isContinuation(part[0]) || (length >= 0 && isContinuation(bytes[end]))) {
      throw new RangeError(`${name} must not start or end within a character`);
    }
    return part.toString();
  };
}

/** Returns true for a byte within a character in UTF-8. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function replacing(
  name: string,
  replace: (input: string, find: string, replacement: string) => string,
): Operator {
  return (...operands) => {
    const names = ['input', 'find', 'replacement'];
    const values = evaluateNamed(name, operands, { known: names, required: names });
    const { input, find, replacement } = values;
    if ([input, find, replacement].some(isNullish)) return null;
    if (typeof input !== 'string' || typeof find !== 'string' || typeof replacement !== 'string') {
      throw new TypeError(`${name} needs text`);
    }
    return replace(input, find, replacement);
  };
}

/** Spaces that `$trim` removes by default. */
const SPACES = new Set(
  Array.from('\0 \t\n\v\f\r\u00a0\u1680').concat(
    Array.from({ length: 11 }, (_, index) => String.fromCodePoint(0x2000 + index)),
  ),
);

function trimming(name: string, sides: { left: boolean; right: boolean }): Operator {
  return (...operands) => {
    const values = evaluateNamed(name, operands, {
      known: ['input', 'chars'],
      required: ['input'],
    });
    const { input, chars } = values;
    if (isNullish(input) || ('chars' in values && isNullish(chars))) return null;
    if (typeof input !== 'string' || !['string', 'undefined'].includes(typeof chars)) {
      throw new TypeError(`${name} needs text`);
    }
    const removed = typeof chars === 'string' ? new Set(Array.from(chars)) : SPACES;
    const characters = Array.from(input);
    let [start, end] = [0, characters.length];
    while (sides.left && start < end && removed.has(characters[start] ?? '')) start++;
    while (sides.right && start < end && removed.has(characters[end - 1] ?? '')) end--;
    return characters.slice(start, end).join('');
  };
}

interface TextMatch {
  readonly match: string;
  /** Position in code points. */
  readonly idx: number;
  readonly captures: readonly (string | null)[];
}

/** Yields all matches of a pattern, none if the text or the pattern is null or missing. */
function* findMatches(
  name: string,
  operands: Parameters<Operator>,
): Generator<TextMatch, undefined> {
  const { input, regex, options } = evaluateNamed(name, operands, {
    known: ['input', 'regex', 'options'],
    required: ['input', 'regex'],
  });
  if (!isNullish(input) && typeof input !== 'string') throw new TypeError(`${name} needs text`);
  if (!isNullish(regex) && typeof regex !== 'string' && !(regex instanceof RegExp)) {
    throw new TypeError(`${name}: regex must be a pattern`);
  }
  if (isNullish(regex) || isNullish(input)) return;
  let [position, idx] = [0, 0];
  for (const found of input.matchAll(toPattern(name, regex, options))) {
    idx += Array.from(input.slice(position, found.index)).length;
    position = found.index;
    const captures = found.slice(1).map((capture: string | undefined) => capture ?? null);
    yield { match: found[0], idx, captures };
  }
}

function toPattern(name: string, regex: string | RegExp, options: unknown): RegExp {
  if (!isNullish(options) && (typeof options !== 'string' || !/^[ims]*$/.test(options))) {
    throw new TypeError(`${name}: options must contain only the letters i, m, and s`);
  }
  const chosen = options ?? '';
  const compiled = typeof regex === 'string' ? compilePattern(regex, chosen) : regex;
  const isChosenTwice = compiled === regex && compiled.flags !== '' && chosen !== '';
  if (isChosenTwice) throw new TypeError(`${name}: set options either in regex or in options`);
  const flags = new Set(`${compiled.flags}${chosen}g`);
  return new RegExp(compiled.source, [...flags].join(''));
}
