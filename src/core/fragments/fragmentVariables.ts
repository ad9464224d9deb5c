import {
  type ConfigObject,
  type ConfigPath,
  type ConfigValue,
  isList,
  isObject,
  getMember,
  toConfigObject,
} from './configValue';

/** `$variable` placeholder, whose value is provided by the config that uses the fragment. */
export interface Variable {
  readonly name: string;
  /** Default value; undefined if a value is required. */
  readonly defaultValue: ConfigValue | undefined;
}

/** Returns the value for a placeholder; undefined to leave the placeholder unchanged. */
export type FillVariable = (variable: Variable, path: ConfigPath) => ConfigValue | undefined;

/** Called before each value is copied, so that copying a malicious config can be stopped. */
export type MayCopy = (path: ConfigPath) => boolean;

/**
 * Maximum nesting depth of a config. The service accepts 30 levels, and the call stack allows far
 * more than this limit.
 */
const MAX_DEPTH = 100;

export function isTooDeep(path: ConfigPath): boolean {
  return path.length > MAX_DEPTH;
}

/**
 * Returns a copy of a value with its `$variable` placeholders filled. Doesn't process inserted
 * values again.
 */
export function fillVariables(
  value: ConfigValue,
  fill: FillVariable,
  mayCopy: MayCopy = (at) => !isTooDeep(at),
  path: ConfigPath = [],
): ConfigValue {
  if (!mayCopy(path)) return null;
  if (isList(value)) {
    return value.map((element, index) => fillVariables(element, fill, mayCopy, [...path, index]));
  }
  if (!isObject(value)) return value;
  const variable = parseVariable(value);
  const filled = variable && fill(variable, path);
  if (filled !== undefined) return filled;
  return toConfigObject(
    Object.entries(value).map(([key, member]) => [
      key,
      fillVariables(member, fill, mayCopy, [...path, key]),
    ]),
  );
}

/** Returns the distinct variables of a fragment, in order of appearance. */
export function variablesIn(config: ConfigValue): readonly Variable[] {
  const found = new Map<string, Variable>();
  fillVariables(config, (variable) => {
    const known = found.get(variable.name);
    if (known?.defaultValue === undefined) found.set(variable.name, variable);
    return null;
  });
  return [...found.values()];
}

function parseVariable(value: ConfigObject): Variable | undefined {
  const placeholder = getMember(value, '$variable');
  const name = isObject(placeholder) ? getMember(placeholder, 'name') : undefined;
  if (!isObject(placeholder) || typeof name !== 'string' || name === '') return undefined;
  return { name, defaultValue: getMember(placeholder, 'default_value') };
}
