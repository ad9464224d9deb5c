import { findNodeAtLocation } from 'jsonc-parser';
import { getIdentity, parseJsonValue } from './jsonText';

/** Range of text, in UTF-16 units. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * Returns the range in `text` for a service's error about `field`. Fields look like
 * `components[0].attributes.rpm`, with or without a leading request field name. Returns the
 * innermost existing value on the path, or the start of the document if no part of the path exists.
 */
export function findProblemRange(text: string, field: string): TextRange {
  const start = { offset: 0, length: 1 };
  const tree = parseJsonValue(text)?.node;
  if (!tree) return start;
  const path = parseFieldPath(field);
  for (const from of [0, 1]) {
    for (let to = path.length; to > from; to -= 1) {
      const found = findNodeAtLocation(tree, path.slice(from, to));
      if (found) return { offset: found.offset, length: Math.max(1, found.length) };
    }
  }
  return start;
}

/** Parses a path such as `components[0]["a.b"].rpm` into its steps. */
function parseFieldPath(field: string): (string | number)[] {
  const steps = field.match(/"(?:[^"\\]|\\.)*"|[^.[\]"]+/g) ?? [];
  return steps.map((step) => {
    if (/^\d+$/.test(step)) return Number(step);
    return step.startsWith('"') ? step.slice(1, -1).replace(/\\(["\\])/g, '$1') : step;
  });
}

/** Reason that a service rejected a document. */
export interface Rejection {
  /**
   * Path of the rejected value in the document, for `findProblemRange`; empty for the document
   * itself.
   */
  readonly field: string;
  readonly reason: string;
}

/**
 * Request fields that contain a document. Paths that the service reports start with one of these
 * fields.
 */
const CARRYING_FIELDS: ReadonlySet<string> = new Set([
  'robot_config_json',
  'robot_config',
  'config',
  'data',
]);

const FIELDS =
  /(?<![\w.-])(?<root>[\w-]+)(?<rest>(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\]|\.[\w-]+)*): (?=.)/gs;

/** Parses a message from the service, such as `config.components[0].name: must be a string`. */
export function parseRejection(message: string): Rejection {
  for (const { 0: match, index, groups } of message.matchAll(FIELDS)) {
    const { root = '', rest = '' } = groups ?? {};
    const reason = message.slice(index + match.length);
    if (CARRYING_FIELDS.has(root)) return { field: rest.replace(/^\./, ''), reason };
    // A single word before a colon isn't necessarily a path.
    if (rest !== '') return { field: `${root}${rest}`, reason };
  }
  return { field: '', reason: message };
}

/**
 * Formats the steps of a rejected field for display: keys for objects; for list elements, names, or
 * numbers such as `#2` if `text` doesn't contain names for them.
 */
export function describeField(text: string, field: string): readonly string[] {
  const tree = parseJsonValue(text)?.node;
  const path = parseFieldPath(field);
  return path.map((step, index) => {
    if (typeof step === 'string') return step;
    const node = tree && findNodeAtLocation(tree, path.slice(0, index + 1));
    return (node && getIdentity({ text, node })) ?? `#${step + 1}`;
  });
}
