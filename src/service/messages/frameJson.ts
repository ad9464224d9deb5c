import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isJsonObject } from '../config/isJsonObject';
import { getNumber, getString } from './jsonFields';

/** Names of orientation notations in configs and in the wire format. */
const NOTATIONS: Readonly<Record<string, string>> = {
  ov_radians: 'vector_radians',
  ov_degrees: 'vector_degrees',
  euler_angles: 'euler_angles',
  axis_angles: 'axis_angles',
  quaternion: 'quaternion',
};
const DEGREES_PER_RADIAN = 180 / Math.PI;

/** Converts a config's frame to the JSON representation of the wire message. */
export function frameJson(frame: JsonObject): JsonObject {
  const { parent, translation, orientation, geometry } = frame;
  return {
    parent: getString(parent),
    ...(isJsonObject(translation) ? { translation: pointJson(translation) } : {}),
    ...(isJsonObject(orientation) ? { orientation: orientationJson(orientation) } : {}),
    ...(isJsonObject(geometry) ? { geometry: geometryJson(geometry) } : {}),
  };
}

function pointJson(point: JsonObject): JsonObject {
  return { x: getNumber(point.x), y: getNumber(point.y), z: getNumber(point.z) };
}

function orientationJson(orientation: JsonObject): JsonObject {
  const notation = NOTATIONS[getString(orientation.type)];
  const value = isJsonObject(orientation.value) ? orientation.value : {};
  // In configs, the angle around an axis is called `th`.
  const { th, theta = th, ...rest } = lowerCased(value);
  return notation === undefined
    ? { no_orientation: {} }
    : { [notation]: { ...rest, ...(theta === undefined ? {} : { theta }) } };
}

function geometryJson(geometry: JsonObject): JsonObject {
  const { label, translation, r, l } = geometry;
  const center = {
    ...(isJsonObject(translation) ? pointJson(translation) : {}),
    ...directionJson(geometry.orientation),
  };
  const common = { label: getString(label), center };
  switch (getString(geometry.type) || (r === undefined ? 'box' : 'sphere')) {
    case 'box':
      return { ...common, box: { dims_mm: pointJson(geometry) } };
    case 'capsule':
      return { ...common, capsule: { radius_mm: getNumber(r), length_mm: getNumber(l) } };
    default:
      // A point is a sphere with a radius of 0.
      return { ...common, sphere: { radius_mm: getNumber(r) } };
  }
}

/**
 * Converts an orientation to an axis and an angle in degrees. Other notations are treated like a
 * missing orientation, which points along the z axis.
 */
function directionJson(orientation: JsonValue | undefined): JsonObject {
  const type = isJsonObject(orientation) ? getString(orientation.type) : '';
  const inRadians = type === 'ov_radians';
  if (
    !isJsonObject(orientation) ||
    !isJsonObject(orientation.value) ||
    !(inRadians || type === 'ov_degrees')
  ) {
    return { o_z: 1 };
  }
  const { x, y, z, th } = orientation.value;
  const factor = inRadians ? DEGREES_PER_RADIAN : 1;
  return { o_x: getNumber(x), o_y: getNumber(y), o_z: getNumber(z), theta: getNumber(th) * factor };
}

function lowerCased(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.toLowerCase(), inner]),
  );
}
