import type { Node } from 'jsonc-parser';
import type { Finding } from '../languageFeatures';
import { getMembers, getSpan, type WrittenStage } from './partialPipeline';

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
export function checkGroups(stages: readonly WrittenStage[]): Finding[] {
  const findings: Finding[] = [];
  let isOrdered = false;
  let obstacle: { readonly subject: string; readonly node: Node } | undefined;
  for (const stage of stages) {
    const { name, nameNode, spec } = stage;
    if (name === '$sort') isOrdered = true;
    if (name === '$group') {
      const found = obstacle ?? obstacleWithin(spec, isOrdered);
      if (found) {
        findings.push(finding(found.subject, found.node === nameNode ? nameNode : found.node));
      }
      isOrdered = false;
    }
    obstacle ??= obstacleTo(stage);
  }
  return findings;
}

function finding(subject: string, node: Node): Finding {
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
