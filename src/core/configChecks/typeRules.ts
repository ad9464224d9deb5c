import type { Localizer } from '../../base/localizer';
import type { ConfigPath } from '../fragments/configValue';
import {
  type ConfigNode,
  type ConfigProblem,
  elementsOf,
  isVariable,
  membersOf,
} from './configDiagnostic';
import {
  configSchema,
  elementSchema,
  keySchemas,
  otherKeySchema,
  type ValueSchema,
  type ValueType,
  valueTypes,
} from './configSchema';

/**
 * Finds values with types other than those in the schema of configs, and numbers below a minimum.
 * VS Code reports the same problems in the editor. A value of `null` is allowed, because machines
 * treat it like a missing key.
 *
 * @param skipped offsets of the values that are already marked
 */
export function* findTypeProblems(
  config: ConfigNode,
  skipped: ReadonlySet<number>,
  l10n: Localizer,
): Generator<ConfigProblem | undefined, void, void> {
  yield* findTypeProblemsIn(config, configSchema, skipped, l10n);
}

function* findTypeProblemsIn(
  value: ConfigNode,
  schema: ValueSchema,
  skipped: ReadonlySet<number>,
  l10n: Localizer,
): Generator<ConfigProblem | undefined, void, void> {
  if (skipped.has(value.node.offset) || value.node.type === 'null' || isVariable(value)) return;
  const types = valueTypes(schema);
  if (types.length > 0 && !types.some((type) => type === value.node.type)) {
    yield { code: 'wrongType', at: value, message: describeTypes(value.path, types, l10n) };
    return;
  }
  const problem = findMinimumProblem(value, schema, l10n);
  if (problem) yield problem;
  if (value.node.type === 'array') {
    const elements = elementSchema(schema);
    if (elements.length === 0) return;
    for (const one of elementsOf(value)) yield* findTypeProblemsIn(one, elements, skipped, l10n);
  } else if (value.node.type === 'object') {
    yield;
    const known = keySchemas(schema);
    for (const [key, member] of membersOf(value)) {
      const inner = known.get(key) ?? otherKeySchema(schema);
      if (inner.length > 0) yield* findTypeProblemsIn(member, inner, skipped, l10n);
    }
    yield* findMissingKeys(value, schema, l10n);
  }
}

/** Finds the keys that an object must have according to the schema. Fragments have their own rule. */
function* findMissingKeys(
  value: ConfigNode,
  schema: ValueSchema,
  l10n: Localizer,
): Generator<ConfigProblem, void, void> {
  const keys = schema.flatMap(({ required = [] }) => required);
  if (keys.length === 0 || value.path[0] === 'fragments') return;
  const members = membersOf(value);
  for (const key of keys) {
    if (key === '$variable' || members.has(key)) continue;
    const message = l10n.t('The required key "{0}" is missing.', key);
    yield { code: 'missingKey', at: value, mark: { ...value.node, length: 1 }, message };
  }
}

function findMinimumProblem(
  at: ConfigNode,
  schema: ValueSchema,
  l10n: Localizer,
): ConfigProblem | undefined {
  const number: unknown = at.node.type === 'number' ? at.node.value : undefined;
  const minimum = Math.max(...schema.map((one) => one.minimum ?? -Infinity));
  if (typeof number !== 'number' || number >= minimum) return undefined;
  const message = l10n.t('"{0}" must be at least {1}.', formatConfigPath(at.path), String(minimum));
  return { code: 'invalidNumber', at, message };
}

/** Formats a message that says which types a value can have. */
export function describeTypes(
  path: ConfigPath,
  types: readonly ValueType[],
  l10n: Localizer,
): string {
  const shown = formatConfigPath(path);
  if (types.length > 1) {
    return l10n.t('"{0}" must have one of the following types: {1}.', shown, types.join(', '));
  }
  switch (types[0]) {
    case 'array':
      return l10n.t('"{0}" must be a list, enclosed in [ and ].', shown);
    case 'object':
      return l10n.t('"{0}" must be an object, enclosed in { and }.', shown);
    case 'number':
      return l10n.t('"{0}" must be a number, without quotes.', shown);
    case 'boolean':
      return l10n.t('"{0}" must be true or false, without quotes.', shown);
    default:
      return l10n.t('"{0}" must be text in double quotes.', shown);
  }
}

/** Formats a path, such as `components[0].name`. */
function formatConfigPath(path: ConfigPath): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${String(step)}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}
