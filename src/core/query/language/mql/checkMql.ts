import type { Node } from 'jsonc-parser';
import type { Edit, Diagnostic } from '../languageFeatures';
import { getMembers, getSpan, type PartialPipeline, type WrittenStage } from './partialPipeline';
import { TIME_COLUMN } from '../../schema/querySchema';
import { NARROWS } from './mqlOperators';

/** Stages that the database runs itself, so that it can also run a subsequent group. */
const PUSHED_STAGES: ReadonlySet<string> = new Set([
  ...['$match', '$sort', '$limit', '$skip', '$sample', '$count', '$group', '$sortByCount'],
  ...['$project', '$addFields', '$set', '$unset', '$replaceRoot', '$replaceWith'],
]);
const PUSHED_ACCUMULATORS: ReadonlySet<string> = new Set([
  ...['$sum', '$avg', '$min', '$max', '$count', '$first', '$last'],
]);
const PUSHED_EXPRESSIONS: ReadonlySet<string> = new Set([
  ...['$literal', '$dateTrunc', '$dateToString', '$add', '$subtract', '$multiply', '$year'],
  ...['$month', '$dayOfMonth', '$dayOfWeek', '$isoDayOfWeek', '$dayOfYear', '$hour', '$minute'],
  '$second',
]);
/** Conditions that can be evaluated only after all documents are read. */
const FOREIGN_CONDITIONS: ReadonlySet<string> = new Set([
  ...['$elemMatch', '$size', '$type', '$mod', '$all', '$options', '$jsonSchema'],
  ...['$bitsAllClear', '$bitsAllSet', '$bitsAnyClear', '$bitsAnySet'],
]);
/** Patterns that match only a literal prefix, which allows the database to use an index. */
const PREFIX = /^\^[\w -]*$/;
const NEED_ORDER: ReadonlySet<string> = new Set(['$first', '$last']);

/**
 * Reports groups that the database can't run itself. For such groups, all documents are read and
 * grouped one by one, which takes many times as long and is subject to a memory limit.
 */
export function checkGroups(stages: readonly WrittenStage[]): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  let isOrdered = false;
  let obstacle: { readonly subject: string; readonly node: Node } | undefined;
  for (const stage of stages) {
    const { name, nameNode, spec } = stage;
    if (name === '$sort') isOrdered = true;
    if (name === '$group') {
      const found = obstacle ?? obstacleWithin(spec, isOrdered);
      if (found) {
        diagnostics.push(
          createDiagnostic(found.subject, found.node === nameNode ? nameNode : found.node),
        );
      }
      isOrdered = false;
    }
    obstacle ??= obstacleTo(stage);
  }
  return diagnostics;
}

function createDiagnostic(subject: string, node: Node): Diagnostic {
  return {
    rule: 'groupNotPushedDown',
    severity: 'information',
    subject,
    fixes: [],
    ...getSpan(node),
  };
}

/**
 * Returns the obstacle that prevents the database from running the stages after this stage;
 * undefined if there is none.
 */
function obstacleTo({ name, nameNode, spec }: WrittenStage): Obstacle | undefined {
  if (!PUSHED_STAGES.has(name)) return { subject: name, node: nameNode };
  if (name === '$match') return spec && foreignCondition(spec);
  const isComputed = ['$project', '$addFields', '$set', '$replaceRoot', '$replaceWith'];
  if (isComputed.includes(name)) return spec && foreignExpression(spec);
  return name === '$sortByCount' ? spec && foreignExpression(spec) : undefined;
}

function foreignCondition(node: Node): Obstacle | undefined {
  for (const { key, keyNode, value } of getMembers(node)) {
    const isPattern = key === '$regex' && !PREFIX.test(String(value?.value));
    if (isPattern || FOREIGN_CONDITIONS.has(key)) return { subject: key, node: keyNode };
    const found = key === '$expr' ? undefined : value && foreignCondition(value);
    if (found) return found;
  }
  for (const child of node.type === 'array' ? (node.children ?? []) : []) {
    const found = foreignCondition(child);
    if (found) return found;
  }
  return undefined;
}

interface Obstacle {
  readonly subject: string;
  readonly node: Node;
}

function obstacleWithin(spec: Node | undefined, isOrdered: boolean): Obstacle | undefined {
  for (const { key, value } of getMembers(spec)) {
    if (value === undefined) continue;
    const found = key === '_id' ? foreignExpression(value) : foreignAccumulator(value, isOrdered);
    if (found) return found;
  }
  return undefined;
}

function foreignAccumulator(field: Node, isOrdered: boolean): Obstacle | undefined {
  const [only] = getMembers(field);
  if (only === undefined) return undefined;
  const { key, keyNode, value } = only;
  const isKnown = PUSHED_ACCUMULATORS.has(key) && (isOrdered || !NEED_ORDER.has(key));
  if (!isKnown) return { subject: key, node: keyNode };
  return value && foreignExpression(value);
}

/** Finds the first operator in an expression that the database can't compute itself. */
function foreignExpression(node: Node): Obstacle | undefined {
  for (const { key, keyNode, value } of getMembers(node)) {
    if (key.startsWith('$') && !PUSHED_EXPRESSIONS.has(key)) return { subject: key, node: keyNode };
    const found = key === '$literal' ? undefined : value && foreignExpression(value);
    if (found) return found;
  }
  for (const child of node.type === 'array' ? (node.children ?? []) : []) {
    const found = foreignExpression(child);
    if (found) return found;
  }
  return undefined;
}

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
): Diagnostic[] {
  if (root === undefined) return [];
  const first = stages[0]?.nameNode;
  const span = first ? getSpan(first) : getSpan(root);
  const diagnostics: Diagnostic[] = [];
  if (!recent && !stages.some(boundsTime)) {
    const insert = stages.length > 0 ? `${TIME_BOUND},${spaceBefore(text, root)}` : TIME_BOUND;
    const edits = [{ ...getStartSpan(root), insert }];
    const fix = { kind: 'addTimeBound' as const, subject: TIME_COLUMN, edits };
    const rule = 'noLowerTimeBound';
    diagnostics.push({ rule, severity: 'warning', subject: TIME_COLUMN, ...span, fixes: [fix] });
  }
  if (!stages.some(({ name }) => NARROWS.has(name))) {
    const fix = {
      kind: 'addLimit' as const,
      subject: String(LIMIT),
      edits: limitEdits(text, root),
    };
    diagnostics.push({ rule: 'noLimit', severity: 'warning', subject: '', ...span, fixes: [fix] });
  }
  return diagnostics;
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
