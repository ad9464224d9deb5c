import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { ConfigChange } from './plan';
import { isJsonObject } from '../config/isJsonObject';

/** Returns a component in the current format, with an `api`. */
export function component(
  subtype: string,
  name: string,
  model: string,
  attributes: JsonObject = {},
  more: JsonObject = {},
): JsonObject {
  return { name, api: `rdk:component:${subtype}`, model, attributes, ...more };
}

/** Returns a service in the current format, with an `api`. */
export function service(
  subtype: string,
  name: string,
  model: string,
  attributes: JsonObject = {},
  more: JsonObject = {},
): JsonObject {
  return { name, api: `rdk:service:${subtype}`, model, attributes, ...more };
}

/** Returns a component in the older format, with `namespace` and `type`. */
export function typedComponent(
  type: string,
  name: string,
  model: string,
  attributes: JsonObject = {},
  more: JsonObject = {},
): JsonObject {
  return { name, namespace: 'rdk', type, model, attributes, ...more };
}

/**
 * Returns a registry module with the name that it has on machines: `acme:scale` becomes
 * `acme_scale`.
 */
export function registryModule(
  moduleId: string,
  version: string,
  more: JsonObject = {},
): JsonObject {
  return {
    type: 'registry',
    name: moduleId.replace(':', '_'),
    module_id: moduleId,
    version,
    ...more,
  };
}

/** Returns a placeholder in a fragment, for which every importing config provides a value. */
export function variable(name: string): JsonObject {
  return { $variable: { name } };
}

/**
 * Returns the position of a component relative to its parent, in millimeters, optionally rotated
 * about the z axis.
 */
export function frame(
  parent: string,
  [x, y, z]: readonly [number, number, number],
  turnDegrees?: number,
): JsonObject {
  return {
    frame: {
      parent,
      translation: { x, y, z },
      ...(turnDegrees !== undefined && {
        orientation: { type: 'ov_degrees', value: { x: 0, y: 0, z: 1, th: turnDegrees } },
      }),
    },
  };
}

/** Returns the data capture config for one method of a component. */
export function capture(
  method: string,
  frequencyHz: number,
  parameters: JsonObject = {},
): JsonObject {
  return {
    service_configs: [
      {
        type: 'data_manager',
        attributes: {
          capture_methods: [
            {
              method,
              capture_frequency_hz: frequencyHz,
              additional_params: parameters,
            },
          ],
        },
      },
    ],
  };
}

/**
 * Sets a value at a path with the syntax of `fragment_mods`. Keys are separated by dots and list
 * entries are identified by name, for example `components.left-motor.attributes.max_rpm`.
 */
export function set(path: string, value: JsonValue): ConfigChange {
  return (config) => {
    const { parent, key } = resolve(config, path);
    parent[key] = value;
  };
}

/** Removes the value at a path, which has the same syntax as in `set`. */
export function unset(path: string): ConfigChange {
  return (config) => {
    const { parent, key } = resolve(config, path);
    Reflect.deleteProperty(parent, key);
  };
}

/** Adds entries to a list such as `components`. Creates the list if it doesn't exist. */
export function append(section: string, ...entries: JsonValue[]): ConfigChange {
  return (config) => {
    const list = config[section];
    config[section] = Array.isArray(list) ? [...list, ...entries] : entries;
  };
}

/** Removes the named entry from a list such as `components`. */
export function remove(section: string, name: string): ConfigChange {
  return (config) => {
    const list = config[section];
    config[section] = Array.isArray(list)
      ? list.filter((entry) => getEntryName(entry) !== name)
      : [];
  };
}

/** Combines changes into a single save. */
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
      ? current.find((entry: JsonValue) => getEntryName(entry) === step)
      : isJsonObject(current)
        ? current[step]
        : undefined;
  }
  if (!isJsonObject(current)) throw new Error(`a config of the demo fleet has nothing at ${path}`);
  return { parent: current, key };
}

/** Processes are identified by `id`, all other entries by `name`. */
function getEntryName(entry: JsonValue): JsonValue | undefined {
  return isJsonObject(entry) ? (entry.name ?? entry.id) : undefined;
}
