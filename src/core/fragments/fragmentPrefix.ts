import {
  type ConfigObject,
  type ConfigValue,
  isList,
  isObject,
  getMember,
  toConfigObject,
  withMember,
} from './configValue';
import { getEntryIdentity, type SectionEntry, type Sections } from './configSections';

/**
 * Sections whose entries get the prefix. Modules and packages are software, not resources. A
 * fragment that is used twice provides them once, and configs refer to them by their own names.
 */
const PREFIXED = new Set(['components', 'services', 'remotes', 'processes', 'jobs', 'triggers']);

/** Sections whose entries `depends_on` and similar members can reference. */
const REFERABLE = ['components', 'services', 'remotes'];

/** Members of an entry in which a complete string can be the name of a resource. */
const REFERRING = new Set(['depends_on', 'attributes', 'service_configs', 'resource']);

/**
 * Qualified name of a resource, such as `rdk:component:motor/left`. The name follows the last
 * slash.
 */
const QUALIFIED = /^(?<type>[^/]*\/)?(?<name>[^/]*)$/;

export function prefixed(prefix: string, name: string): string {
  return `${prefix}-${name}`;
}

/**
 * Adds a prefix to the names of a fragment's resources and to all references to them in the
 * fragment.
 */
export function applyPrefix(sections: Sections, prefix: string): void {
  const names = namesIn(sections);
  const rename = (text: string): string => renameReference(text, prefix, names);
  for (const [key, section] of sections) {
    if (section.kind !== 'list') continue;
    for (const entry of section.entries) entry.value = renamed(key, entry, prefix, rename);
  }
}

function renamed(
  section: string,
  { value }: SectionEntry,
  prefix: string,
  rename: (text: string) => string,
): ConfigValue {
  if (!isObject(value)) return value;
  const name = PREFIXED.has(section) ? getEntryIdentity(section, value) : undefined;
  const key = section === 'processes' ? 'id' : 'name';
  const own = name === undefined ? value : withMember(value, key, prefixed(prefix, name));
  return toConfigObject(
    Object.entries(own).map(([member, inner]): [string, ConfigValue] => {
      if (member === 'frame' && isObject(inner)) return [member, renameParent(inner, rename)];
      return [member, REFERRING.has(member) ? renameDeep(inner, rename) : inner];
    }),
  );
}

function renameParent(frame: ConfigObject, rename: (text: string) => string): ConfigObject {
  const parent = getMember(frame, 'parent');
  return typeof parent === 'string' ? withMember(frame, 'parent', rename(parent)) : frame;
}

/**
 * Renames references in a value at any depth. The schema of attributes is not known, so a string
 * that equals the name of a resource is treated as a reference.
 */
function renameDeep(value: ConfigValue, rename: (text: string) => string): ConfigValue {
  if (typeof value === 'string') return rename(value);
  if (isList(value)) return value.map((element) => renameDeep(element, rename));
  if (!isObject(value)) return value;
  return toConfigObject(
    Object.entries(value).map(([key, member]) => [key, renameDeep(member, rename)] as const),
  );
}

/**
 * Renames a reference to a resource. Names such as `remote:resource` refer to resources of a
 * remote.
 */
function renameReference(text: string, prefix: string, names: ReadonlySet<string>): string {
  const { type = '', name = '' } = QUALIFIED.exec(text)?.groups ?? {};
  const [first = ''] = name.split(':', 1);
  return names.has(name) || (first !== name && names.has(first))
    ? type + prefixed(prefix, name)
    : text;
}

function namesIn(sections: Sections): ReadonlySet<string> {
  return new Set(
    REFERABLE.flatMap((key) => {
      const section = sections.get(key);
      const entries = section?.kind === 'list' ? section.entries : [];
      return entries.flatMap(({ value }) => getEntryIdentity(key, value) ?? []);
    }),
  );
}
