import type { Localizer } from '../../base/localizer';
import { nearestName } from '../../base/nearestName';
import { type ConfigNode, type ConfigProblem, literalString, membersOf } from './configDiagnostic';
import {
  AUTH_TYPES,
  CLOSED_VALUES,
  DATA_TYPES,
  DURATIONS,
  EVENT_KEYS,
  LATEST,
  MACHINE_PACKAGE_TYPES,
  MAX_LONG_NAME_LENGTH,
  MODULE_ID,
  NAME,
  NOTIFICATION_TYPES,
  OPERATORS,
  PACKAGE_ID,
  REQUIRED,
  RESERVED_MODULE_NAME,
  TRIGGER_LOG_LEVELS,
  VERSION,
} from './ruleTables';
import {
  createInvalidName,
  createMissingKey,
  createUnknownValue,
  entriesOf,
  findDurationProblem,
  findEmailProblem,
  findScheduleProblem,
  findUnknownValue,
  findUrlProblem,
  findMember,
  isLiteralObject,
  isNonEmpty,
  isPortTooLarge,
  listOf,
} from './valueRules';

type Problems = Generator<ConfigProblem | undefined, void, void>;

type Rule = (entry: ConfigNode, l10n: Localizer) => Problems;

/**
 * Finds the mistakes in an entry of a section that don't depend on other entries. Yields undefined
 * between steps without a problem.
 */
export function* findEntryProblems(section: string, entry: ConfigNode, l10n: Localizer): Problems {
  const members = membersOf(entry);
  if (members.has('$variable')) return;
  // Go programs ignore the case of keys.
  const written = new Set([...members.keys()].map((key) => key.toLowerCase()));
  for (const keys of REQUIRED.get(section) ?? []) {
    const alternatives = keys.split('|');
    if (alternatives.some((key) => written.has(key))) continue;
    yield createMissingEntryKey(entry, alternatives[0] ?? '', l10n);
  }
  const rule = RULES.get(section);
  if (rule) yield* rule(entry, l10n);
  for (const [of, keys, values] of CLOSED_VALUES) {
    if (of === section) yield findOtherValue(entry, keys, values, l10n);
  }
  for (const [of, key] of DURATIONS) {
    if (of === section) yield findDurationProblem(members.get(key), l10n);
  }
}

const RULES: ReadonlyMap<string, Rule> = new Map([
  ['remotes', remoteProblems],
  ['modules', moduleProblems],
  ['packages', packageProblems],
  ['jobs', jobProblems],
  ['triggers', triggerProblems],
]);

function createMissingEntryKey(entry: ConfigNode, key: string, l10n: Localizer): ConfigProblem {
  const name = membersOf(entry).get('name') ?? membersOf(entry).get('id');
  const shown = literalString(name);
  if (!name || shown === undefined) {
    const missing = createMissingKey('missingKey', entry, key, l10n);
    return name ? { ...missing, mark: name.node } : missing;
  }
  const message = l10n.t('"{0}" is missing the required key "{1}".', shown, key);
  // Mark the name, which identifies the entry. A mark on the entire entry could span pages.
  return { code: 'missingKey', at: entry, mark: name.node, message };
}

/** Finds a value that isn't in a closed list. Machines ignore the case of these values. */
function findOtherValue(
  entry: ConfigNode,
  keys: readonly string[],
  values: readonly string[],
  l10n: Localizer,
): ConfigProblem | undefined {
  let at: ConfigNode | undefined = entry;
  for (const key of keys) at = findMember(at, key);
  const written = literalString(at);
  if (!at || !written || values.includes(written.toLowerCase())) return undefined;
  return createUnknownValue(at, written, values, l10n);
}

function* jobProblems(entry: ConfigNode, l10n: Localizer): Problems {
  yield findScheduleProblem(findMember(entry, 'schedule'), l10n);
}

const URL_SCHEME = /^https?:\/\//i;

function* remoteProblems(entry: ConfigNode, l10n: Localizer): Problems {
  const at = findMember(entry, 'address');
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
  const frame = findMember(entry, 'frame');
  if (isLiteralObject(frame)) {
    const parent = findMember(frame, 'parent');
    if (!isNonEmpty(parent)) yield createMissingKey('missingKey', frame, 'parent', l10n);
  }
  const credentials = findMember(findMember(entry, 'auth'), 'credentials');
  yield findUnknownValue(findMember(credentials, 'type'), AUTH_TYPES, l10n);
}

/** Accepts every host, because remotes are also found by other names than those of the DNS. */
function isRemoteAddress(text: string): boolean {
  if (text.startsWith('unix:')) return true;
  const port = /:(\d+)$/.exec(text)?.[1];
  return /^[^\s/]+$/.test(text) && !isPortTooLarge(port);
}

function* moduleProblems(entry: ConfigNode, l10n: Localizer): Problems {
  const members = membersOf(entry);
  const name = members.get('name');
  const type = literalString(members.get('type'))?.toLowerCase();
  const isLocal = type === 'local' || (type === undefined && members.has('executable_path'));
  const needed = isLocal ? 'executable_path' : 'module_id';
  if (!name) yield createMissingEntryKey(entry, 'name', l10n);
  if (!members.has(needed)) yield createMissingEntryKey(entry, needed, l10n);
  yield findLongNameProblem(name, l10n);
  if (name && literalString(name) === RESERVED_MODULE_NAME) {
    const message = l10n.t(
      'The name "{0}" is reserved. Use a different one.',
      RESERVED_MODULE_NAME,
    );
    yield { code: 'invalidName', at: name, message };
  }
  if (isLocal) return;
  const id = members.get('module_id');
  const written = literalString(id);
  if (id && written !== undefined && !MODULE_ID.test(written)) {
    const message = l10n.t(
      '"{0}" is not a valid module ID. Use <namespace or organization ID>:<name>, for example acme:weather.',
      written,
    );
    yield { code: 'invalidId', at: id, message };
  }
  yield findModuleVersionProblem(members.get('version'), l10n);
}

function findModuleVersionProblem(
  at: ConfigNode | undefined,
  l10n: Localizer,
): ConfigProblem | undefined {
  const version = literalString(at);
  if (!at || version === undefined) return undefined;
  if (VERSION.test(version) || LATEST.includes(version)) return undefined;
  const nearest = nearestName(version, LATEST);
  const message = l10n.t(
    '"{0}" is not a valid version. Use a number such as 1.2.3, latest, or latest-with-prerelease.',
    version,
  );
  const replacement = nearest && JSON.stringify(nearest);
  // A tag can also be used as a version, but this is rare.
  return { code: 'invalidVersion', at, message, replacement };
}

function* packageProblems(entry: ConfigNode, l10n: Localizer): Problems {
  yield findLongNameProblem(findMember(entry, 'name'), l10n);
  const id = findMember(entry, 'package');
  const writtenId = literalString(id);
  if (id && writtenId !== undefined && !PACKAGE_ID.test(writtenId)) {
    const message = l10n.t(
      '"{0}" is not a valid package ID. Use <organization ID>/<name>.',
      writtenId,
    );
    yield { code: 'invalidId', at: id, message };
  }
  const type = findMember(entry, 'type');
  const written = literalString(type);
  if (type && written !== undefined && !MACHINE_PACKAGE_TYPES.includes(written)) {
    yield createUnknownValue(type, written, MACHINE_PACKAGE_TYPES, l10n);
  }
  const version = findMember(entry, 'version');
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

function* triggerProblems(entry: ConfigNode, l10n: Localizer): Problems {
  const event = findMember(entry, 'event');
  if (isLiteralObject(event)) yield* eventProblems(event, l10n);
  for (const notification of entriesOf(findMember(entry, 'notifications'))) {
    const type = findMember(notification, 'type');
    if (!type) yield createMissingKey('missingKey', notification, 'type', l10n);
    yield findUnknownValue(type, NOTIFICATION_TYPES, l10n);
    const value = findMember(notification, 'value');
    const kind = literalString(type);
    if (kind === 'webhook') yield findUrlProblem(value, l10n);
    if (kind === 'email') yield findEmailProblem(value, l10n);
  }
}

function* eventProblems(event: ConfigNode, l10n: Localizer): Problems {
  const type = findMember(event, 'type');
  if (!type) yield createMissingKey('missingKey', event, 'type', l10n);
  yield findUnknownValue(type, [...EVENT_KEYS.keys()], l10n);
  const needed = EVENT_KEYS.get(literalString(type) ?? '');
  if (needed && !isNonEmpty(findMember(event, needed))) {
    yield createMissingKey('missingKey', event, needed, l10n);
  }
  for (const one of listOf(findMember(findMember(event, 'data_ingested'), 'data_types'))) {
    yield findUnknownValue(one, DATA_TYPES, l10n);
  }
  for (const one of listOf(findMember(event, 'log_levels'))) {
    yield findUnknownValue(one, TRIGGER_LOG_LEVELS, l10n);
  }
  const conditional = findMember(event, 'conditional');
  if (isLiteralObject(conditional) && !findMember(conditional, 'data_capture_method')) {
    yield createMissingKey('missingKey', conditional, 'data_capture_method', l10n);
  }
  for (const one of entriesOf(findMember(findMember(conditional, 'conditions'), 'evals'))) {
    yield findUnknownValue(findMember(one, 'operator'), OPERATORS, l10n);
  }
}
