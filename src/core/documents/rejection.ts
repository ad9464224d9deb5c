import { findNodeAtLocation } from 'jsonc-parser';
import { getIdentity, parseJsonValue } from './jsonTree';
import { parseFieldPath } from './problemPlace';

/** Reason why a service rejected a document. */
export interface Rejection {
  /**
   * Path of the rejected value in the document, for `findProblemRange`; empty for the document
   * itself.
   */
  readonly field: string;
  readonly reason: string;
}

/** Request fields that contain a document. Paths that the service reports start with them. */
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
 * Formats the steps of a rejected field for display: keys, and for list elements their names, or
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
