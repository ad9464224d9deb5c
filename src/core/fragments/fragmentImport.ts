import { type ConfigObject, type ConfigValue, isList, isObject, getMember } from './configValue';
import type { Report } from './resolveProblem';

/** Entry in a config's `fragments`, which imports a fragment. */
export interface FragmentImport {
  readonly id: string;
  /** Pinned revision or tag; undefined for the newest version. */
  readonly version: string | undefined;
  /** Prefix for the fragment's names; empty for none. */
  readonly prefix: string;
  readonly variables: ConfigObject;
  readonly disabled: boolean;
  /** Index of the entry in the list. */
  readonly index: number;
  /** Entry as written. */
  readonly written: ConfigValue;
}

/** Returns the fragment imports of a config, in order. Reports invalid entries. */
export function parseImports(config: unknown, report: Report = () => undefined): FragmentImport[] {
  const list = isObject(config) ? getMember(config, 'fragments') : undefined;
  if (list === undefined || list === null) return [];
  if (!isList(list)) {
    report('malformedImport', ['fragments']);
    return [];
  }
  return list.flatMap((written, index) => {
    const read = parseImport(written, index);
    if (!read) report('malformedImport', ['fragments', index]);
    return read ? [read] : [];
  });
}

function parseImport(written: ConfigValue, index: number): FragmentImport | undefined {
  const entry = typeof written === 'string' ? { id: written } : written;
  if (!isObject(entry)) return undefined;
  const id = getMember(entry, 'id');
  if (typeof id !== 'string' || id === '') return undefined;
  const variables = getMember(entry, 'variables');
  return {
    id,
    version: getStringMember(entry, 'version') || undefined,
    prefix: getStringMember(entry, 'prefix'),
    variables: isObject(variables) ? variables : {},
    disabled: getMember(entry, 'disabled') === true,
    index,
    written,
  };
}

function getStringMember(entry: ConfigObject, key: string): string {
  const value = getMember(entry, key);
  return typeof value === 'string' ? value : '';
}
