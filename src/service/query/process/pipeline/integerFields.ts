import { nestedStages } from './decodeStages';
import type { Stage } from './stage';
import { addedFields, parseProjection } from './stages/projectStage';
import { COUNT_ONLY } from './stages/groupStage';
import { DOCUMENTS } from './stages/stageCompiler';
import { type Document, isDocument } from './document';

type Paths = ReadonlySet<string>;

/**
 * Returns the paths in the results whose numbers are integers by MongoDB's typing rules: counts,
 * parts of dates, sizes, and values computed from these. Includes paths in documents within an
 * array. The paths depend only on the stages, so a field's type doesn't change with its values.
 * @param ofReadings paths in readings whose numbers are integers
 */
export function integerFields(stages: readonly Stage[], ofReadings: Paths = new Set()): Paths {
  return integersAfter(ofReadings, stages, ofReadings);
}

function integersAfter(before: Paths, stages: readonly Stage[], ofReadings: Paths): Paths {
  return stages.reduce<Paths>((paths, stage) => after(paths, stage, ofReadings), before);
}

/**
 * Like `integerFields`, but for a nested pipeline, whose input is either readings or its own
 * documents.
 */
function findIntegerPaths(stages: readonly Stage[], ofReadings: Paths): Paths {
  const [first] = stages;
  return integersAfter(first?.name === DOCUMENTS ? new Set() : ofReadings, stages, ofReadings);
}

function after(before: Paths, { name, spec, ...stage }: Stage, ofReadings: Paths): Paths {
  switch (name) {
    case '$count':
      return new Set([String(spec)]);
    case '$sortByCount':
      return new Set(['count', ...idPaths(before, spec)]);
    case '$group':
      return groupPaths(before, isDocument(spec) ? spec : {});
    case '$bucket':
    case '$bucketAuto': {
      const { output = COUNT_ONLY } = isDocument(spec) ? spec : {};
      return groupPaths(before, isDocument(output) ? output : {});
    }
    case '$project':
      return projectPaths(before, { name, spec, ...stage });
    case '$addFields':
    case '$set':
      return addedPaths(before, { name, spec, ...stage });
    case '$setWindowFields': {
      const { output } = isDocument(spec) ? spec : {};
      return new Set([...before, ...groupPaths(before, isDocument(output) ? output : {})]);
    }
    case '$unwind': {
      const index = isDocument(spec) ? spec.includeArrayIndex : undefined;
      return typeof index === 'string' ? new Set([...before, index]) : before;
    }
    case '$facet': {
      const inner = { name, spec, ...stage };
      return new Set(
        Object.entries(isDocument(spec) ? spec : {}).flatMap(([facet, pipeline]) =>
          [...integersAfter(before, nestedStages(inner, pipeline, [facet]), ofReadings)].map(
            (path) => `${facet}.${path}`,
          ),
        ),
      );
    }
    case '$lookup': {
      const { as, pipeline = [] } = isDocument(spec) ? spec : {};
      const inner = nestedStages({ name, spec, ...stage }, pipeline, ['pipeline']);
      const joined = [...findIntegerPaths(inner, ofReadings)].map(
        (path) => `${String(as)}.${path}`,
      );
      return new Set([...before, ...joined]);
    }
    case '$unionWith': {
      const { pipeline = [] } = isDocument(spec) ? spec : {};
      const inner = nestedStages({ name, spec, ...stage }, pipeline, ['pipeline']);
      return new Set([...before, ...findIntegerPaths(inner, ofReadings)]);
    }
    case '$replaceRoot':
    case '$replaceWith':
      return new Set(
        rootPaths(before, isDocument(spec) && 'newRoot' in spec ? spec.newRoot : spec),
      );
    default:
      return before;
  }
}

function groupPaths(before: Paths, { _id, ...fields }: Document): Paths {
  const names = Object.entries(fields).flatMap(([name, value]) => {
    const [[operator, operand] = ['', undefined]] = Object.entries(isDocument(value) ? value : {});
    return isIntegerAccumulator(before, operator, operand) ? [name] : [];
  });
  return new Set([...names, ...idPaths(before, _id)]);
}

const COUNTERS: Paths = new Set(['$count', '$documentNumber', '$rank', '$denseRank']);
const CHOOSERS: Paths = new Set(['$sum', '$min', '$max', '$first', '$last']);

function isIntegerAccumulator(before: Paths, operator: string, operand: unknown): boolean {
  return COUNTERS.has(operator) || (CHOOSERS.has(operator) && isInteger(before, operand));
}

function idPaths(before: Paths, id: unknown): string[] {
  if (isDocument(id) && !Object.keys(id).some((name) => name.startsWith('$'))) {
    return Object.entries(id).flatMap(([name, value]) =>
      isInteger(before, value) ? [`_id.${name}`] : [],
    );
  }
  return isInteger(before, id) ? ['_id'] : beneath(before, id).map((path) => `_id.${path}`);
}

/** Returns the integer paths within the embedded document that a path such as `$_id` refers to. */
function beneath(before: Paths, reference: unknown): string[] {
  const prefix = typeof reference === 'string' ? `${reference.slice(1)}.` : undefined;
  return prefix === undefined
    ? []
    : [...before].flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []));
}

function rootPaths(before: Paths, root: unknown): string[] {
  return isDocument(root)
    ? Object.entries(root).flatMap(([name, value]) => (isInteger(before, value) ? [name] : []))
    : beneath(before, root);
}

function projectPaths(before: Paths, stage: Stage): Paths {
  const { tree, excludes } = parseProjection(stage);
  const remaining = [...before].filter((path) => {
    const [name = ''] = path.split('.');
    const rule = tree.get(name);
    return excludes ? true : rule !== undefined && (!('leaf' in rule) || rule.leaf === 'include');
  });
  const computed = [...tree].flatMap(([name, rule]) =>
    'leaf' in rule && typeof rule.leaf === 'object'
      ? listIntegerPaths(before, name, rule.leaf.expression)
      : [],
  );
  return new Set([...remaining, ...computed]);
}

function addedPaths(before: Paths, stage: Stage): Paths {
  const tree = addedFields(stage);
  const remaining = [...before].filter((path) => !tree.has(path.split('.')[0] ?? ''));
  const computed = [...tree].flatMap(([name, rule]) =>
    'leaf' in rule ? listIntegerPaths(before, name, rule.leaf) : [],
  );
  return new Set([...remaining, ...computed]);
}

function listIntegerPaths(before: Paths, name: string, expression: unknown): string[] {
  return isInteger(before, expression)
    ? [name]
    : beneath(before, expression).map((path) => `${name}.${path}`);
}

const INTEGER_OPERATORS: Paths = new Set([
  ...['$cmp', '$dateDiff', '$dayOfMonth', '$dayOfWeek', '$dayOfYear', '$hour', '$indexOfArray'],
  ...['$indexOfBytes', '$indexOfCP', '$isoDayOfWeek', '$isoWeek', '$isoWeekYear', '$millisecond'],
  ...['$minute', '$month', '$second', '$size', '$strLenBytes', '$strLenCP', '$strcasecmp'],
  ...['$toInt', '$toLong', '$week', '$year'],
]);

/** Operators that return an integer if all their operands are integers. */
const CLOSED_OPERATORS: Paths = new Set([
  ...['$abs', '$add', '$ceil', '$floor', '$ifNull', '$max', '$min', '$mod', '$multiply'],
  ...['$round', '$subtract', '$sum', '$trunc'],
]);

function isInteger(before: Paths, expression: unknown): boolean {
  if (typeof expression === 'number') return Number.isInteger(expression);
  if (typeof expression === 'string') {
    return expression.startsWith('$') && before.has(expression.slice(1));
  }
  if (!isDocument(expression)) return false;
  const [[operator, operand] = ['', undefined]] = Object.entries(expression);
  if (operator === '$literal') return typeof operand === 'number' && Number.isInteger(operand);
  if (operator === '$cond') {
    const branches = isDocument(operand) ? [operand.then, operand.else] : operand;
    const values: unknown[] = Array.isArray(branches) ? branches.slice(-2) : [];
    return values.length === 2 && values.every((value) => isInteger(before, value));
  }
  const operands: unknown[] = Array.isArray(operand) ? operand : [operand];
  return (
    INTEGER_OPERATORS.has(operator) ||
    (CLOSED_OPERATORS.has(operator) && operands.every((value) => isInteger(before, value)))
  );
}
