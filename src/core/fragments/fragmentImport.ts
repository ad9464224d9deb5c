import { type ConfigObject, type ConfigValue, isList, isObject, memberOf } from './configValue';
import type { Report } from './resolveProblem';

/** Entry of a config's `fragments`: the use of a fragment. */
export interface FragmentImport {
  readonly id: string;
  /** Pinned revision or tag; undefined for the newest. */
  readonly version: string | undefined;
  /** Empty for none. */
  readonly prefix: string;
  readonly variables: ConfigObject;
  readonly disabled: boolean;
  /** Index in the list. */
  readonly index: number;
  /** Entry as written. */
  readonly written: ConfigValue;
}

/** Returns the fragments that a config uses, in order; reports invalid entries. */
export function importsOf(config: unknown, report: Report = () => undefined): FragmentImport[] {
  const list = isObject(config) ? memberOf(config, 'fragments') : undefined;
  if (list === undefined || list === null) return [];
  if (!isList(list)) {
    report('malformedImport', ['fragments']);
    return [];
  }
  return list.flatMap((written, index) => {
    const read = importOf(written, index);
    if (!read) report('malformedImport', ['fragments', index]);
    return read ? [read] : [];
  });
}

function importOf(written: ConfigValue, index: number): FragmentImport | undefined {
  const entry = typeof written === 'string' ? { id: written } : written;
  if (!isObject(entry)) return undefined;
  const id = memberOf(entry, 'id');
  if (typeof id !== 'string' || id === '') return undefined;
  const variables = memberOf(entry, 'variables');
  return {
    id,
    version: textOf(entry, 'version') || undefined,
    prefix: textOf(entry, 'prefix'),
    variables: isObject(variables) ? variables : {},
    disabled: memberOf(entry, 'disabled') === true,
    index,
    written,
  };
}

function textOf(entry: ConfigObject, key: string): string {
  const value = memberOf(entry, key);
  return typeof value === 'string' ? value : '';
}
