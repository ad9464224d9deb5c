import type { Node } from 'jsonc-parser';
import { PAYLOAD, type QuerySchema, nearestField, pathExists } from '../../schema/querySchema';
import type { Diagnostic } from '../languageFeatures';
import { nearestName } from '../../../../base/nearestName';
import {
  ACCUMULATORS,
  CONDITION_JOINS,
  CONDITION_OPERATORS,
  DOCUMENTS,
  EXPRESSIONS,
  EXTENDED_JSON,
  isSubpipeline,
  PRESERVES_READINGS,
  READS_AGAIN,
  WINDOW_OPERATORS,
} from './mqlOperators';
import { getMembers, getSpan, stagesIn, type WrittenStage } from './partialPipeline';

/**
 * Known operators, regardless of their context. The service reports misplaced operators when the
 * query runs.
 */
const OPERATORS: readonly string[] = [
  ...[ACCUMULATORS, CONDITION_JOINS, CONDITION_OPERATORS, EXPRESSIONS, EXTENDED_JSON],
  WINDOW_OPERATORS,
].flatMap((group) => group.map(({ name }) => name));
/**
 * Additional operator names: names from Extended JSON, and names from conditions that aren't
 * suggested.
 */
const FURTHER = new Set([
  ...['$regularExpression', '$timestamp', '$binary', '$minKey', '$maxKey', '$symbol', '$code'],
  ...['$numberOf', '$near', '$geometry', '$geoWithin', '$type', '$meta', '$comment', '$dbPointer'],
]);
/** Stages that contain fields as names of options or as values. */
const STAGES_WITH_FIELDS: ReadonlySet<string> = new Set(['$match', '$sort']);

/**
 * Reports unknown operators, columns, and fields. Checks fields only in stages whose input
 * documents are readings.
 * @param areReadings true if the input documents of the first stage are readings
 */
export function checkMqlNames(
  stages: readonly WrittenStage[],
  schema: QuerySchema,
  areReadings = true,
): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const { name, spec } of stages) {
    if (spec === undefined) continue;
    const subpipelines = getMembers(spec).flatMap(({ key, value }) =>
      value && isSubpipeline(name, [key]) ? [stagesIn(value)] : [],
    );
    if (name === '$facet' || READS_AGAIN.has(name)) {
      for (const inner of subpipelines) {
        const isRead = READS_AGAIN.has(name) && inner[0]?.name !== DOCUMENTS;
        const begin = isRead || (name === '$facet' && areReadings);
        diagnostics.push(...checkMqlNames(inner, schema, begin));
      }
      // The variables in a $lookup are computed from its input documents.
      const computed = getMembers(spec).flatMap(({ key, value }) =>
        key === 'let' && value ? [value] : [],
      );
      diagnostics.push(...computed.flatMap(checkOperators));
      if (areReadings) {
        diagnostics.push(...computed.flatMap((node) => checkReferences(node, schema)));
      }
      areReadings = false;
      continue;
    }
    diagnostics.push(...checkOperators(spec));
    if (areReadings) {
      if (STAGES_WITH_FIELDS.has(name)) diagnostics.push(...checkKeys(spec, schema));
      // Strings in a condition are values, except in its expressions.
      const computed = name === '$match' ? findExpressions(spec) : [spec];
      diagnostics.push(...computed.flatMap((node) => checkReferences(node, schema)));
    }
    areReadings &&= PRESERVES_READINGS.has(name);
  }
  return diagnostics;
}

function checkOperators(node: Node): Diagnostic[] {
  const own = getMembers(node).flatMap(({ key, keyNode, value }): Diagnostic[] => {
    if (key === '$literal') return [];
    const inner = value ? checkOperators(value) : [];
    if (!key.startsWith('$') || OPERATORS.includes(key) || FURTHER.has(key)) return inner;
    const suggestion = nearestName(key, OPERATORS);
    return [named('unknownOperator', 'error', key, keyNode, suggestion), ...inner];
  });
  const items = node.type === 'array' ? (node.children ?? []) : [];
  return [...own, ...items.flatMap(checkOperators)];
}

/** Checks keys that are fields to filter or sort by. */
function checkKeys(spec: Node, schema: QuerySchema): Diagnostic[] {
  return getMembers(spec).flatMap(({ key, keyNode, value }) => {
    if (key === '$and' || key === '$or' || key === '$nor') {
      return (value?.children ?? []).flatMap((part) => checkKeys(part, schema));
    }
    return key.startsWith('$') ? [] : checkPath(key, keyNode, '', schema);
  });
}

function findExpressions(condition: Node): Node[] {
  return getMembers(condition).flatMap(({ key, value }) => {
    if (key === '$expr') return value ?? [];
    return key.startsWith('$') ? (value?.children ?? []).flatMap(findExpressions) : [];
  });
}

/** Checks values that reference a field, such as `$data.readings.speed`. */
function checkReferences(node: Node, schema: QuerySchema): Diagnostic[] {
  const text: unknown = node.type === 'string' ? node.value : undefined;
  if (typeof text === 'string' && /^\$[^$]/.test(text)) {
    return checkPath(text.slice(1), node, '$', schema);
  }
  if (node.type === 'array') {
    return (node.children ?? []).flatMap((child) => checkReferences(child, schema));
  }
  return getMembers(node).flatMap(({ key, value }) =>
    key === '$literal' || key === '$regex' || !value ? [] : checkReferences(value, schema),
  );
}

function checkPath(path: string, node: Node, prefix: '' | '$', schema: QuerySchema): Diagnostic[] {
  const [column = '', ...steps] = path.split('.');
  const names = schema.columns.map(({ name }) => name);
  if (column.includes('{{')) return [];
  if (!names.includes(column)) {
    const suggestion = nearestName(column, names);
    const insert = suggestion === undefined ? undefined : prefix + [suggestion, ...steps].join('.');
    return [named('unknownColumn', 'warning', column, node, insert)];
  }
  const isField = column === PAYLOAD && steps.length > 0 && schema.isSampled;
  if (
    !isField ||
    pathExists(
      schema,
      steps.filter((step) => !/^\d+$/.test(step)),
    )
  ) {
    return [];
  }
  const suggestion = nearestField(schema, steps);
  const insert = suggestion === undefined ? undefined : prefix + [PAYLOAD, ...suggestion].join('.');
  return [named('unknownField', 'information', path, node, insert)];
}

function named(
  rule: Diagnostic['rule'],
  severity: Diagnostic['severity'],
  subject: string,
  node: Node,
  suggestion: string | undefined,
): Diagnostic {
  const span = getSpan(node);
  const edits = [{ ...span, insert: JSON.stringify(suggestion) }];
  const fixes =
    suggestion === undefined ? [] : [{ kind: 'replace' as const, subject: suggestion, edits }];
  return { rule, severity, subject, fixes, ...span };
}
