import type { Localizer } from '../../base/localizer';
import { nearestName } from '../../base/nearestName';
import {
  type ConfigNode,
  type ConfigProblem,
  elementsOf,
  isVariable,
  literalString,
  membersOf,
} from './configDiagnostic';
import {
  ALL_OWNERS,
  AUTH_TYPES,
  DATA_TYPES,
  EVENT_KEYS,
  MACHINE_PACKAGE_TYPES,
  MAX_HEARTBEAT_WINDOW_MS,
  MAX_LONG_NAME_LENGTH,
  MAX_PORT,
  MIN_HEARTBEAT_WINDOW_MS,
  NAME,
  NOTIFICATION_TYPES,
  OPERATORS,
  RESERVED_MODULE_NAME,
  TRIGGER_LOG_LEVELS,
} from './entryRules';
import { findUnsupportedCronPart, parseDuration, parseSchedule } from './schedule';

/**
 * Finds invalid values in the sections that aren't about resources: network, authentication, cloud,
 * remotes, modules, packages, and triggers. Yields undefined between steps without a problem.
 */
export function* findSectionProblems(
  config: ConfigNode,
  l10n: Localizer,
): Generator<ConfigProblem | undefined, void, void> {
  const sections = membersOf(config);
  yield* networkProblems(sections.get('network'), l10n);
  yield* authProblems(sections.get('auth'), l10n);
  yield* cloudProblems(sections.get('cloud'), l10n);
  for (const [section, rule] of ENTRY_RULES) {
    for (const entry of entriesOf(sections.get(section))) {
      yield* rule(entry, l10n);
      yield;
    }
  }
}

type Rule = (
  entry: ConfigNode,
  l10n: Localizer,
) => Generator<ConfigProblem | undefined, void, void>;

const ENTRY_RULES: readonly (readonly [section: string, rule: Rule])[] = [
  ['remotes', remoteProblems],
  ['modules', moduleProblems],
  ['packages', packageProblems],
  ['triggers', triggerProblems],
];

function entriesOf(list: ConfigNode | undefined): readonly ConfigNode[] {
  const entries = list ? elementsOf(list) : [];
  return entries.filter(isLiteralObject);
}

function isLiteralObject(value: ConfigNode | undefined): value is ConfigNode {
  return value?.node.type === 'object' && !isVariable(value);
}

function getMember(object: ConfigNode | undefined, key: string): ConfigNode | undefined {
  return object && membersOf(object).get(key);
}

/**
 * Machines don't load a config whose network section is invalid. An invalid duration is omitted when
 * the service sends the config.
 */
function* networkProblems(network: ConfigNode | undefined, l10n: Localizer): ReturnType<Rule> {
  if (!network) return;
  yield findBindAddressProblem(getMember(network, 'bind_address'), l10n);
  const [certificate, key] = ['tls_cert_file', 'tls_key_file'].map((one) =>
    getMember(network, one),
  );
  if (isNonEmpty(certificate) !== isNonEmpty(key)) {
    const at = isNonEmpty(certificate) ? certificate : key;
    const missing = at === certificate ? 'tls_key_file' : 'tls_cert_file';
    const message = l10n.t(
      'Machines don\'t load a config with only one of "tls_cert_file" and "tls_key_file". Add "{0}".',
      missing,
    );
    if (at) yield { code: 'invalidNetwork', at, message };
  }
  yield findHeartbeatProblem(getMember(getMember(network, 'sessions'), 'heartbeat_window'), l10n);
  for (const endpoint of entriesOf(getMember(network, 'traffic_tunnel_endpoints'))) {
    yield findPortProblem(getMember(endpoint, 'port'), l10n);
    yield findDurationProblem(getMember(endpoint, 'connection_timeout'), l10n);
  }
}

/** Returns true for a value that isn't absent, null, or an empty string. */
function isNonEmpty(member: ConfigNode | undefined): boolean {
  return member !== undefined && member.node.type !== 'null' && member.node.value !== '';
}

/** A host that can be empty, a colon, and a port or the name of a port. */
const BIND_ADDRESS = /^(?:\[[^[\]]*\]|[^:[\]]*):(?<port>[^:[\]]*)$/;

function findBindAddressProblem(
  at: ConfigNode | undefined,
  l10n: Localizer,
): ConfigProblem | undefined {
  const written = literalString(at);
  if (!at || !written) return undefined;
  const match = BIND_ADDRESS.exec(written);
  if (match && !isPortTooLarge(match.groups?.port)) return undefined;
  const message = l10n.t(
    '"{0}" is not a valid bind address, so machines don\'t load the config. Use a host and a port, for example localhost:8080, or :8080 for all interfaces.',
    written,
  );
  return { code: 'invalidNetwork', at, message };
}

function isPortTooLarge(port: string | undefined): boolean {
  return port !== undefined && /^\d+$/.test(port) && Number(port) > MAX_PORT;
}

function findHeartbeatProblem(
  at: ConfigNode | undefined,
  l10n: Localizer,
): ConfigProblem | undefined {
  const written = literalString(at);
  const window = written === undefined ? undefined : parseDuration(written);
  if (!at || window === undefined) return findDurationProblem(at, l10n);
  const isValid = window >= MIN_HEARTBEAT_WINDOW_MS && window <= MAX_HEARTBEAT_WINDOW_MS;
  if (window === 0 || isValid) return undefined;
  const message = l10n.t(
    'Machines don\'t load a config with the heartbeat window "{0}". Use a duration from 30ms to 1m.',
    written ?? '',
  );
  return { code: 'invalidNetwork', at, message };
}

function findPortProblem(at: ConfigNode | undefined, l10n: Localizer): ConfigProblem | undefined {
  const port: unknown = at?.node.type === 'number' ? at.node.value : undefined;
  // The schema has a minimum of 1.
  if (!at || typeof port !== 'number' || port < 1) return undefined;
  if (Number.isInteger(port) && port <= MAX_PORT) return undefined;
  const message = l10n.t(
    '{0} is not a valid port. Use a number from 1 to {1}.',
    String(port),
    String(MAX_PORT),
  );
  return { code: 'invalidNumber', at, message };
}

/** Finds a text that isn't a duration. An empty text means the default. */
export function findDurationProblem(
  at: ConfigNode | undefined,
  l10n: Localizer,
): ConfigProblem | undefined {
  const duration = literalString(at);
  if (!at || !duration || parseDuration(duration) !== undefined) return undefined;
  const message = l10n.t(
    '"{0}" is not a valid duration. Use a number and a unit, for example 30s or 5m.',
    duration,
  );
  return { code: 'invalidDuration', at, message };
}

/** Finds a schedule that machines don't support. */
export function findScheduleProblem(
  at: ConfigNode | undefined,
  l10n: Localizer,
): ConfigProblem | undefined {
  const schedule = literalString(at);
  if (!at || schedule === undefined) return undefined;
  const unsupported = findUnsupportedCronPart(schedule);
  if (unsupported !== undefined) {
    const message =
      unsupported === '7'
        ? l10n.t("Machines don't support 7 as a day of the week. Use 0 or SUN for Sunday.")
        : l10n.t(
            'Machines don\'t support "{0}" in cron expressions. Use numbers, names such as MON, and the characters * / , - ?.',
            unsupported,
          );
    return { code: 'invalidSchedule', at, message };
  }
  if (parseSchedule(schedule)) return undefined;
  const message = l10n.t(
    '"{0}" is not a valid schedule. Use a duration such as 5s, a cron expression such as 0 */5 * * * *, or continuous.',
    schedule,
  );
  return { code: 'invalidSchedule', at, message };
}

/** Machines don't load a config with a handler that they can't use. */
function* authProblems(auth: ConfigNode | undefined, l10n: Localizer): ReturnType<Rule> {
  const seen = new Set<string>();
  for (const handler of entriesOf(getMember(auth, 'handlers'))) {
    const type = getMember(handler, 'type');
    const written = literalString(type);
    if (!type) yield createMissingKey('invalidAuth', handler, 'type', l10n);
    if (!type || written === undefined) continue;
    if (!AUTH_TYPES.includes(written)) {
      yield { ...createUnknownValue(type, written, AUTH_TYPES, l10n), code: 'invalidAuth' };
    } else if (seen.has(written)) {
      const message = l10n.t(
        'Two handlers have the type "{0}", so machines don\'t load the config. Merge them.',
        written,
      );
      yield { code: 'invalidAuth', at: type, message };
    } else if (written === 'api-key' && !hasApiKeys(getMember(handler, 'config'))) {
      const message = l10n.t(
        'This handler has no API keys, so machines don\'t load the config. List the IDs of the keys in "config.keys".',
      );
      yield { code: 'invalidAuth', at: type, message };
    }
    seen.add(written);
  }
}

/** Returns true if a handler lists its keys, also as older machines expected it. */
function hasApiKeys(config: ConfigNode | undefined): boolean {
  const keys = getMember(config, 'keys');
  const isListed = keys !== undefined && elementsOf(keys).length > 0;
  return isListed || isVariable(config) || isVariable(keys) || isNonEmpty(getMember(config, 'key'));
}

function* cloudProblems(cloud: ConfigNode | undefined, l10n: Localizer): ReturnType<Rule> {
  yield findDurationProblem(getMember(cloud, 'refresh_interval'), l10n);
  yield findUrlProblem(getMember(cloud, 'app_address'), l10n);
}

function findUrlProblem(at: ConfigNode | undefined, l10n: Localizer): ConfigProblem | undefined {
  const written = literalString(at);
  if (!at || !written) return undefined;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol)) return undefined;
  const message = l10n.t(
    '"{0}" is not a valid URL. Use one that starts with https://, for example https://example.com/hook.',
    written,
  );
  return { code: 'invalidAddress', at, message };
}

const URL_SCHEME = /^https?:\/\//i;

function* remoteProblems(entry: ConfigNode, l10n: Localizer): ReturnType<Rule> {
  const at = getMember(entry, 'address');
  const written = literalString(at);
  if (at && written !== undefined && !isRemoteAddress(written)) {
    const host = written.replace(URL_SCHEME, '').replace(/\/+$/, '');
    const isFixed = host !== written && isRemoteAddress(host);
    const message = l10n.t(
      '"{0}" is not a valid address. Use a host name and an optional port, for example rover-main.example.com:8080.',
      written,
    );
    const replacement = isFixed ? JSON.stringify(host) : undefined;
    yield { code: 'invalidAddress', at, message, replacement };
  }
  const frame = getMember(entry, 'frame');
  if (isLiteralObject(frame)) {
    const parent = getMember(frame, 'parent');
    if (!isNonEmpty(parent)) yield createMissingKey('missingKey', frame, 'parent', l10n);
  }
  const credentials = getMember(getMember(entry, 'auth'), 'credentials');
  yield findUnknownValue(getMember(credentials, 'type'), AUTH_TYPES, l10n);
}

/** Accepts every host, because remotes are also found by other names than those of the DNS. */
function isRemoteAddress(text: string): boolean {
  if (text.startsWith('unix:')) return true;
  const port = /:(\d+)$/.exec(text)?.[1];
  return /^[^\s/]+$/.test(text) && !isPortTooLarge(port);
}

function* moduleProblems(entry: ConfigNode, l10n: Localizer): ReturnType<Rule> {
  const at = getMember(entry, 'name');
  yield findLongNameProblem(at, l10n);
  if (at && literalString(at) === RESERVED_MODULE_NAME) {
    const message = l10n.t(
      'The name "{0}" is reserved. Use a different one.',
      RESERVED_MODULE_NAME,
    );
    yield { code: 'invalidName', at, message };
  }
}

function* packageProblems(entry: ConfigNode, l10n: Localizer): ReturnType<Rule> {
  yield findLongNameProblem(getMember(entry, 'name'), l10n);
  const type = getMember(entry, 'type');
  const written = literalString(type);
  if (type && written !== undefined && !MACHINE_PACKAGE_TYPES.includes(written)) {
    yield createUnknownValue(type, written, MACHINE_PACKAGE_TYPES, l10n);
  }
  const version = getMember(entry, 'version');
  const pin = literalString(version)?.toLowerCase();
  // Versions of packages can be any text, such as a time.
  if (version && pin !== undefined && pin !== 'latest' && nearestName(pin, ['latest'])) {
    const message = l10n.t(
      'The package probably has no version "{0}". Did you mean "latest"?',
      pin,
    );
    yield { code: 'invalidVersion', at: version, message, replacement: '"latest"' };
  }
}

/** Checks a name with the rule for modules and packages, which allows longer names. */
function findLongNameProblem(
  at: ConfigNode | undefined,
  l10n: Localizer,
): ConfigProblem | undefined {
  const name = literalString(at);
  if (!at || name === undefined) return undefined;
  return NAME.test(name) && name.length <= MAX_LONG_NAME_LENGTH
    ? undefined
    : createInvalidName(at, name, MAX_LONG_NAME_LENGTH, l10n);
}

/** Creates the problem for a name that no machine accepts. */
export function createInvalidName(
  at: ConfigNode,
  name: string,
  maxLength: number,
  l10n: Localizer,
): ConfigProblem {
  const message = l10n.t(
    '"{0}" is not a valid name. Use up to {1} letters, digits, dashes, and underscores, and start with a letter or digit.',
    name,
    String(maxLength),
  );
  return { code: 'invalidName', at, message };
}

function* triggerProblems(entry: ConfigNode, l10n: Localizer): ReturnType<Rule> {
  const event = getMember(entry, 'event');
  if (isLiteralObject(event)) yield* eventProblems(event, l10n);
  for (const notification of entriesOf(getMember(entry, 'notifications'))) {
    const type = getMember(notification, 'type');
    if (!type) yield createMissingKey('missingKey', notification, 'type', l10n);
    yield findUnknownValue(type, NOTIFICATION_TYPES, l10n);
    const value = getMember(notification, 'value');
    const kind = literalString(type);
    if (kind === 'webhook') yield findUrlProblem(value, l10n);
    if (kind === 'email') yield findEmailProblem(value, l10n);
  }
}

function* eventProblems(event: ConfigNode, l10n: Localizer): ReturnType<Rule> {
  const type = getMember(event, 'type');
  if (!type) yield createMissingKey('missingKey', event, 'type', l10n);
  yield findUnknownValue(type, [...EVENT_KEYS.keys()], l10n);
  const needed = EVENT_KEYS.get(literalString(type) ?? '');
  if (needed && !isNonEmpty(getMember(event, needed))) {
    yield createMissingKey('missingKey', event, needed, l10n);
  }
  for (const one of listOf(getMember(getMember(event, 'data_ingested'), 'data_types'))) {
    yield findUnknownValue(one, DATA_TYPES, l10n);
  }
  for (const one of listOf(getMember(event, 'log_levels'))) {
    yield findUnknownValue(one, TRIGGER_LOG_LEVELS, l10n);
  }
  const conditional = getMember(event, 'conditional');
  if (isLiteralObject(conditional) && !getMember(conditional, 'data_capture_method')) {
    yield createMissingKey('missingKey', conditional, 'data_capture_method', l10n);
  }
  for (const one of entriesOf(getMember(getMember(conditional, 'conditions'), 'evals'))) {
    yield findUnknownValue(getMember(one, 'operator'), OPERATORS, l10n);
  }
}

function listOf(list: ConfigNode | undefined): readonly ConfigNode[] {
  return list ? elementsOf(list) : [];
}

function findEmailProblem(at: ConfigNode | undefined, l10n: Localizer): ConfigProblem | undefined {
  const written = literalString(at);
  if (!at || written === undefined || written === ALL_OWNERS) return undefined;
  if (/^[^\s@]+@[^\s@]+$/.test(written)) return undefined;
  const message = l10n.t(
    '"{0}" is not a valid email address. Use one such as ops@example.com, or {1} for the owners of the machine.',
    written,
    ALL_OWNERS,
  );
  return { code: 'invalidAddress', at, message };
}

/**
 * Finds a value that isn't in a list of known values. Newer services can know more values, so only a
 * value that is similar to a known one is certainly a mistake.
 */
function findUnknownValue(
  at: ConfigNode | undefined,
  values: readonly string[],
  l10n: Localizer,
): ConfigProblem | undefined {
  const written = literalString(at);
  if (!at || written === undefined || values.includes(written)) return undefined;
  const problem = createUnknownValue(at, written, values, l10n);
  return { ...problem, isUncertain: problem.replacement === undefined };
}

function createUnknownValue(
  at: ConfigNode,
  written: string,
  values: readonly string[],
  l10n: Localizer,
): ConfigProblem {
  const nearest = nearestName(written, values);
  const message = l10n.t(
    '"{0}" is not a known value. Use one of the following: {1}.',
    written,
    values.join(', '),
  );
  const replacement = nearest && JSON.stringify(nearest);
  return { code: 'unknownValue', at, message, replacement };
}

function createMissingKey(
  code: ConfigProblem['code'],
  object: ConfigNode,
  key: string,
  l10n: Localizer,
): ConfigProblem {
  const message = l10n.t('The required key "{0}" is missing.', key);
  // The object can be pages long.
  return { code, at: object, mark: { ...object.node, length: 1 }, message };
}
