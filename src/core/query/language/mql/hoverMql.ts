import { getLocation } from 'jsonc-parser';
import { PAYLOAD, type QuerySchema } from '../../schema/querySchema';
import type { Hovered } from '../completion';
import { MQL_STAGES } from './mqlStages';
import { isInComment } from './mqlCursor';
import { withoutParameters } from './partialPipeline';

/**
 * Returns hover information at an offset in a pipeline: for stages, operators, columns, and fields.
 */
export function hoverMql(text: string, offset: number, schema: QuerySchema): Hovered | undefined {
  const plain = withoutParameters(text);
  if (isInComment(plain, offset)) return undefined;
  const node = getLocation(plain, offset).previousNode;
  if (node === undefined || offset >= node.offset + node.length) return undefined;
  const value: unknown = node.value;
  if (typeof value !== 'string') return undefined;
  const span = { start: node.offset, end: node.offset + node.length };
  if (MQL_STAGES.some(({ name }) => name === value)) return { kind: 'stage', name: value, ...span };
  const [column = '', ...path] = value.replace(/^\$/, '').split('.');
  const known = schema.columns.find(({ name }) => name === column);
  if (known === undefined)
    return /^\$[^$]/.test(value) ? { kind: 'operator', name: value, ...span } : undefined;
  if (path.length === 0) return { kind: 'column', name: column, detail: known.sqlType, ...span };
  const field = schema.fields.find((one) => one.path.join('.') === path.join('.'));
  return column === PAYLOAD && field
    ? { kind: 'field', name: [PAYLOAD, ...path].join('.'), detail: field.type, ...span }
    : undefined;
}
