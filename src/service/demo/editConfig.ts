import { isJsonObject } from '../../core/model/isJsonObject';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import {
  anyValue,
  joinKey,
  KeyError,
  list,
  optional,
  type Read,
  record,
  text,
} from './jsonReaders';

/**
 * Changes to a config, in the order in which they are applied.
 *
 * Paths have the syntax of `fragment_mods`: keys are separated by periods, and entries in a list
 * are identified by name, for example `components.left-motor.attributes.max_rpm`.
 */
export const changeReaders = {
  /** Names of entries to remove from lists such as `components`. */
  remove: optional(record(list(text)), {}),
  /** Paths whose values are removed. */
  unset: optional(list(text), []),
  /** New values by path. */
  set: optional(record(anyValue), {}),
  /** Entries to add to lists such as `components`, which are created if they don't exist. */
  append: optional(record(list(anyValue)), {}),
};

type ConfigChanges = { [Name in keyof typeof changeReaders]: Read<(typeof changeReaders)[Name]> };

/**
 * Returns a changed copy of a config.
 * @param key path of the changes in their file.
 * @throws KeyError if the config doesn't have a change's path or list.
 */
export function editConfig(original: JsonObject, changes: ConfigChanges, key: string): JsonObject {
  const config = structuredClone(original);
  for (const [section, names] of Object.entries(changes.remove)) {
    const entries = config[section];
    for (const name of names) {
      if (!Array.isArray(entries) || !entries.some((entry) => getEntryName(entry) === name)) {
        throw new KeyError(
          joinKey(`${key}.remove`, section),
          `names "${name}", which is not in the config`,
        );
      }
    }
    config[section] = (entries as JsonValue[]).filter(
      (entry) => !names.some((name) => name === getEntryName(entry)),
    );
  }
  for (const [index, path] of changes.unset.entries()) {
    const pathKey = `${key}.unset[${String(index)}]`;
    const { parent, name } = resolve(config, path, pathKey);
    if (!Object.hasOwn(parent, name)) {
      throw new KeyError(pathKey, `names "${path}", which is not in the config`);
    }
    Reflect.deleteProperty(parent, name);
  }
  for (const [path, value] of Object.entries(changes.set)) {
    const { parent, name } = resolve(config, path, joinKey(`${key}.set`, path));
    parent[name] = value;
  }
  for (const [section, entries] of Object.entries(changes.append)) {
    const existing = config[section] ?? [];
    if (!Array.isArray(existing)) {
      throw new KeyError(joinKey(`${key}.append`, section), 'is not a list in the config');
    }
    config[section] = [...existing, ...entries];
  }
  return config;
}

function resolve(
  config: JsonObject,
  path: string,
  key: string,
): { parent: JsonObject; name: string } {
  const steps = path.split('.');
  const name = steps.pop() ?? '';
  let parent: JsonValue | undefined = config;
  for (const step of steps) {
    parent = Array.isArray(parent)
      ? parent.find((entry: JsonValue) => getEntryName(entry) === step)
      : isJsonObject(parent)
        ? parent[step]
        : undefined;
  }
  if (!isJsonObject(parent)) {
    throw new KeyError(key, `is not in the config, which has no ${steps.join('.')}`);
  }
  return { parent, name };
}

/** Processes and imported fragments are identified by `id`, all other entries by `name`. */
function getEntryName(entry: JsonValue): JsonValue | undefined {
  return isJsonObject(entry) ? (entry.name ?? entry.id) : undefined;
}
