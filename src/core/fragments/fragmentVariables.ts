import {
  type ConfigObject,
  type ConfigPath,
  type ConfigValue,
  isList,
  isObject,
  memberOf,
  objectOf,
} from './configValue';

/** A `$variable` place: anyone who uses the fragment gives the value. */
export interface Variable {
  readonly name: string;
  /** The value when none is given; undefined when there has to be one. */
  readonly defaultValue: ConfigValue | undefined;
}

/** Answers what stands at a place instead of it; undefined leaves the place as it is. */
export type FillVariable = (variable: Variable, path: ConfigPath) => ConfigValue | undefined;

/** Asked before every value that is copied, so that a hostile config can be cut off. */
export type MayCopy = (path: ConfigPath) => boolean;

/** The service takes 30 levels; far below what recursion can bear. */
const MAX_DEPTH = 100;

export function isTooDeep(path: ConfigPath): boolean {
  return path.length > MAX_DEPTH;
}

/** A copy of a value with its `$variable` places filled. What stands in for one is not filled again. */
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
  const variable = variableOf(value);
  const filled = variable && fill(variable, path);
  if (filled !== undefined) return filled;
  return objectOf(
    Object.entries(value).map(([key, member]) => [
      key,
      fillVariables(member, fill, mayCopy, [...path, key]),
    ]),
  );
}

/** The variables of a fragment, each once, in the order of their places. */
export function variablesIn(config: ConfigValue): readonly Variable[] {
  const found = new Map<string, Variable>();
  fillVariables(config, (variable) => {
    const known = found.get(variable.name);
    if (known?.defaultValue === undefined) found.set(variable.name, variable);
    return null;
  });
  return [...found.values()];
}

function variableOf(value: ConfigObject): Variable | undefined {
  const place = memberOf(value, '$variable');
  const name = isObject(place) ? memberOf(place, 'name') : undefined;
  if (!isObject(place) || typeof name !== 'string' || name === '') return undefined;
  return { name, defaultValue: memberOf(place, 'default_value') };
}
