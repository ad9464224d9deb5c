import type { JsonObject } from '@bufbuild/protobuf';

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
