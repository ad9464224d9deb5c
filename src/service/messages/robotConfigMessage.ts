import { isJsonObject } from '../../core/model/isJsonObject';
import {
  create,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import {
  AuthConfigSchema,
  type CloudConfigSchema,
  ComponentConfigSchema,
  JobConfigSchema,
  LogPatternConfigSchema,
  MaintenanceConfigSchema,
  ModuleConfigSchema,
  NetworkConfigSchema,
  PackageConfigSchema,
  ProcessConfigSchema,
  RemoteConfigSchema,
  type RobotConfig,
  RobotConfigSchema,
  ServiceConfigSchema,
  TracingConfigSchema,
} from '../../gen/viam/app/v1/robot_pb';
import { durationJson, getNumber, getString } from './structField';

/** Fields that configs specify as duration strings, such as `1m30s`. */
const DURATIONS = [
  'stop_timeout',
  'first_run_timeout',
  'connection_check_interval',
  'reconnect_interval',
  'heartbeat_window',
] as const;

const CREDENTIALS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'api-key': 'CREDENTIALS_TYPE_API_KEY',
    'robot-secret': 'CREDENTIALS_TYPE_ROBOT_SECRET',
    'robot-location-secret': 'CREDENTIALS_TYPE_ROBOT_LOCATION_SECRET',
    internal: 'CREDENTIALS_TYPE_INTERNAL',
  }),
);

/**
 * Returns a part's config in the format that its software reads. Omits values for which the wire
 * format has no field or a field of another type, but retains the rest of the entry.
 * @param config resolved config.
 * @param about fields that the service adds.
 */
export function robotConfigMessage(
  config: JsonObject,
  about: { revision: string; cloud: MessageInitShape<typeof CloudConfigSchema> },
): RobotConfig {
  return create(RobotConfigSchema, {
    ...about,
    components: toMessages(
      ComponentConfigSchema,
      config.components,
      createResourceMapper('component'),
    ),
    services: toMessages(ServiceConfigSchema, config.services, createResourceMapper('service')),
    remotes: toMessages(RemoteConfigSchema, config.remotes, remoteJson),
    processes: toMessages(ProcessConfigSchema, config.processes, withDurations),
    modules: toMessages(ModuleConfigSchema, config.modules, moduleJson),
    packages: toMessages(PackageConfigSchema, config.packages, (entry) => entry),
    jobs: toMessages(JobConfigSchema, config.jobs, (entry) => entry),
    log: toMessages(LogPatternConfigSchema, config.log, (entry) => entry),
    network: toSectionMessage(NetworkConfigSchema, config.network, networkJson),
    auth: toSectionMessage(AuthConfigSchema, config.auth, authJson),
    maintenance: toSectionMessage(MaintenanceConfigSchema, config.maintenance, maintenanceJson),
    tracing: toSectionMessage(TracingConfigSchema, config.tracing, (section) => section),
    debug: getBoolean(config.debug),
    disablePartialStart: getBoolean(config.disable_partial_start),
    enableWebProfile: config.enable_web_profile === true,
    disableLogDeduplication: config.disable_log_deduplication === true,
  });
}

function toMessages<Desc extends DescMessage>(
  schema: Desc,
  entries: JsonValue | undefined,
  toWire: (entry: JsonObject) => JsonObject,
): MessageShape<Desc>[] {
  return (Array.isArray(entries) ? entries : [])
    .filter(isJsonObject)
    .map((entry) => toMessage(schema, toWire(entry)));
}

function toSectionMessage<Desc extends DescMessage>(
  schema: Desc,
  section: JsonValue | undefined,
  toWire: (section: JsonObject) => JsonObject,
): MessageShape<Desc> | undefined {
  return isJsonObject(section) ? toMessage(schema, toWire(section)) : undefined;
}

/** Returns a message that contains only the fields whose values have the correct types. */
function toMessage<Desc extends DescMessage>(schema: Desc, json: JsonObject): MessageShape<Desc> {
  const options = { ignoreUnknownFields: true };
  const fits = (part: JsonObject): boolean => {
    try {
      fromJson(schema, part, options);
      return true;
    } catch {
      return false;
    }
  };
  const fields = Object.entries(json).filter(([name, value]) => fits({ [name]: value }));
  return fromJson(schema, Object.fromEntries(fields), options);
}

/**
 * Returns a converter for components or services, whose type is specified either as `api` or as
 * `namespace` and `type`.
 */
function createResourceMapper(kind: 'component' | 'service'): (entry: JsonObject) => JsonObject {
  return (entry) => {
    const [namespace, , type] = getString(entry.api).split(':');
    const named = {
      namespace: namespace || getString(entry.namespace) || 'rdk',
      type: type ?? getString(entry.type),
    };
    const api = getString(entry.api) || `${named.namespace}:${kind}:${named.type}`;
    return { ...entry, ...named, api, ...getFrame(entry) };
  };
}

function remoteJson(entry: JsonObject): JsonObject {
  const { auth } = entry;
  const credentials =
    isJsonObject(auth) && isJsonObject(auth.credentials) ? auth.credentials : undefined;
  return {
    ...withDurations(entry),
    ...getFrame(entry),
    ...(isJsonObject(auth) && credentials !== undefined
      ? { auth: { ...auth, credentials: withCredentialsType(credentials) } }
      : {}),
  };
}

function moduleJson(entry: JsonObject): JsonObject {
  const { executable_path: path = entry.path } = entry;
  return { ...withDurations(entry), ...(path === undefined ? {} : { path }) };
}

function networkJson(section: JsonObject): JsonObject {
  const { sessions } = section;
  return { ...section, ...(isJsonObject(sessions) ? { sessions: withDurations(sessions) } : {}) };
}

function authJson(section: JsonObject): JsonObject {
  const handlers = Array.isArray(section.handlers) ? section.handlers.filter(isJsonObject) : [];
  return { ...section, handlers: handlers.map(withCredentialsType) };
}

/**
 * Converts the maintenance section. Its sensor is specified in the format
 * `rdk:component:sensor/name`.
 */
function maintenanceJson(section: JsonObject): JsonObject {
  const [, namespace, type, subtype, name] =
    /^([^:/]*):([^:/]*):([^:/]*)\/(.*)$/.exec(getString(section.sensor_name)) ?? [];
  return name === undefined
    ? section
    : { ...section, sensor_name: { namespace, type, subtype, name } as JsonObject };
}

function withCredentialsType(json: JsonObject): JsonObject {
  return { ...json, type: CREDENTIALS.get(getString(json.type)) ?? 'CREDENTIALS_TYPE_UNSPECIFIED' };
}

function withDurations(entry: JsonObject): JsonObject {
  const durations = DURATIONS.flatMap((name) => {
    const duration = durationJson(entry[name]);
    return duration === undefined ? [] : [[name, duration] as const];
  });
  return { ...entry, ...Object.fromEntries(durations) };
}

function getFrame(entry: JsonObject): JsonObject {
  return isJsonObject(entry.frame) ? { frame: frameJson(entry.frame) } : {};
}

function getBoolean(value: JsonValue | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** Names of orientation notations in configs and in the wire format. */
const NOTATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ov_radians: 'vector_radians',
    ov_degrees: 'vector_degrees',
    euler_angles: 'euler_angles',
    axis_angles: 'axis_angles',
    quaternion: 'quaternion',
  }),
);
const DEGREES_PER_RADIAN = 180 / Math.PI;

/** Converts a config's frame to the JSON representation of the wire message. */
function frameJson(frame: JsonObject): JsonObject {
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
  const notation = NOTATIONS.get(getString(orientation.type));
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
