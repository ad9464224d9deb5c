import type { Node } from 'jsonc-parser';
import { TIME_COLUMN } from '../../schema/querySchema';
import type { Edit, Finding } from '../languageFeatures';
import { NARROWS } from './mqlOperators';
import { getMembers, getSpan, type PartialPipeline, type WrittenStage } from './partialPipeline';

const LIMIT = 1000;
/**
 * Time limit to insert. It is relative to the time of execution, so that a saved query always
 * covers the last day.
 */
const TIME_BOUND = `{ "$match": { "$expr": { "$gte": ["$${TIME_COLUMN}", { "$dateSubtract": { "startDate": "$$NOW", "unit": "day", "amount": 1 } }] } } }`;

/**
 * Reports queries that probably select more than the user intended: all readings, or all times.
 * @param recent true if the query uses recent data only, which already limits the time
 */
export function checkMqlBounds(
  text: string,
  { root }: PartialPipeline,
  stages: readonly WrittenStage[],
  recent: boolean,
): Finding[] {
  if (root === undefined) return [];
  const first = stages[0]?.nameNode;
  const span = first ? getSpan(first) : getSpan(root);
  const findings: Finding[] = [];
  if (!recent && !stages.some(boundsTime)) {
    const insert = stages.length > 0 ? `${TIME_BOUND},${spaceBefore(text, root)}` : TIME_BOUND;
    const edits = [{ ...getStartSpan(root), insert }];
    const fix = { kind: 'addTimeBound' as const, subject: TIME_COLUMN, edits };
    const rule = 'noLowerTimeBound';
    findings.push({ rule, severity: 'warning', subject: TIME_COLUMN, ...span, fixes: [fix] });
  }
  if (!stages.some(({ name }) => NARROWS.has(name))) {
    const fix = {
      kind: 'addLimit' as const,
      subject: String(LIMIT),
      edits: limitEdits(text, root),
    };
    findings.push({ rule: 'noLimit', severity: 'warning', subject: '', ...span, fixes: [fix] });
  }
  return findings;
}

/**
 * Returns the position before the first stage. The time limit must be inserted at this position so
 * that it is applied first.
 */
function getStartSpan({ offset, children = [] }: Node): { start: number; end: number } {
  const at = children[0]?.offset ?? offset + 1;
  return { start: at, end: at };
}

function limitEdits(text: string, root: Node): Edit[] {
  const last = root.children?.at(-1);
  const limit = `{ "$limit": ${String(LIMIT)} }`;
  const at = last ? last.offset + last.length : root.offset + 1;
  const insert = last ? `,${spaceBefore(text, root)}${limit}` : limit;
  return [{ start: at, end: at, insert }];
}

/** Returns the separator between stages: a line break with its indentation, or a space. */
function spaceBefore(text: string, { offset, children: [first] = [] }: Node): string {
  const space = first ? /\r?\n[ \t]*$/.exec(text.slice(offset + 1, first.offset))?.[0] : undefined;
  return space ?? ' ';
}

/** Returns true if a stage limits the readings to a timestamp or to readings after a timestamp. */
function boundsTime({ name, spec }: WrittenStage): boolean {
  return name === '$match' && spec !== undefined && hasLowerBound(spec);
}

function hasLowerBound(condition: Node): boolean {
  return getMembers(condition).some(({ key, value }) => {
    if (key === '$and') return (value?.children ?? []).some(hasLowerBound);
    // Every alternative must have a lower bound.
    if (key === '$or') return (value?.children ?? []).every(hasLowerBound);
    if (key === '$expr') return value !== undefined && mentionsTime(value);
    return key === TIME_COLUMN && value !== undefined && isLower(value);
  });
}

function isLower(value: Node): boolean {
  const operators = getMembers(value).map(({ key }) => key);
  const isCondition = operators.some((key) => /^\$(?:lte?|ne|nin|not|exists|type)$/.test(key));
  return !isCondition || operators.some((key) => /^\$(?:gte?|eq|in)$/.test(key));
}

function mentionsTime(node: Node): boolean {
  return node.value === `$${TIME_COLUMN}` || (node.children ?? []).some(mentionsTime);
}
