import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { ConfigChange } from './plan';
import { isJsonObject } from '../config/isJsonObject';

/**
 * Sets a value where `fragment_mods` would find it: keys joined by dots, entries of a list by name,
 * such as `components.left-motor.attributes.max_rpm`.
 */
export function set(path: string, value: JsonValue): ConfigChange {
  return (config) => {
    const { parent, key } = resolve(config, path);
    parent[key] = value;
  };
}

/** Removes what `set` would set. */
export function unset(path: string): ConfigChange {
  return (config) => {
    const { parent, key } = resolve(config, path);
    Reflect.deleteProperty(parent, key);
  };
}

/** Adds entries to a list such as `components`, which it makes when there is none. */
export function append(section: string, ...entries: JsonValue[]): ConfigChange {
  return (config) => {
    const list = config[section];
    config[section] = Array.isArray(list) ? [...list, ...entries] : entries;
  };
}

/** Takes the entry of a name out of a list such as `components`. */
export function remove(section: string, name: string): ConfigChange {
  return (config) => {
    const list = config[section];
    config[section] = Array.isArray(list) ? list.filter((entry) => nameOf(entry) !== name) : [];
  };
}

/** Several changes saved at once. */
export function together(...changes: ConfigChange[]): ConfigChange {
  return (config, fragment) => {
    for (const change of changes) {
      change(config, fragment);
    }
  };
}

function resolve(config: JsonObject, path: string): { parent: JsonObject; key: string } {
  const keys = path.split('.');
  const key = keys.pop() ?? '';
  let current: JsonValue | undefined = config;
  for (const step of keys) {
    current = Array.isArray(current)
      ? current.find((entry: JsonValue) => nameOf(entry) === step)
      : isJsonObject(current)
        ? current[step]
        : undefined;
  }
  if (!isJsonObject(current)) {
    throw new Error(`a config of the demo fleet has nothing at ${path}`);
  }
  return { parent: current, key };
}

/** Processes are known by an `id`, the rest by a `name`. */
function nameOf(entry: JsonValue): JsonValue | undefined {
  return isJsonObject(entry) ? (entry.name ?? entry.id) : undefined;
}
