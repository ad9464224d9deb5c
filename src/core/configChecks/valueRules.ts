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
import { ALL_OWNERS, MAX_PORT } from './ruleTables';
import { findUnsupportedCronPart, parseDuration, parseSchedule } from './schedule';

/** Returns the objects in a list, without placeholders for variables. */
export function entriesOf(list: ConfigNode | undefined): readonly ConfigNode[] {
  const entries = list ? elementsOf(list) : [];
  return entries.filter(isLiteralObject);
}

/** Returns true for an object that isn't a placeholder for a variable. */
export function isLiteralObject(value: ConfigNode | undefined): value is ConfigNode {
  return value?.node.type === 'object' && !isVariable(value);
}

/** Returns a member of an object; undefined if the object or the member is absent. */
export function findMember(object: ConfigNode | undefined, key: string): ConfigNode | undefined {
  return object && membersOf(object).get(key);
}

/** Returns true for a value that isn't absent, null, or an empty string. */
export function isNonEmpty(member: ConfigNode | undefined): boolean {
  return member !== undefined && member.node.type !== 'null' && member.node.value !== '';
}

/** Returns the elements of a list; empty if the list is absent. */
export function listOf(list: ConfigNode | undefined): readonly ConfigNode[] {
  return list ? elementsOf(list) : [];
}

/** Returns true for a number above the highest port. */
export function isPortTooLarge(port: string | undefined): boolean {
  return port !== undefined && /^\d+$/.test(port) && Number(port) > MAX_PORT;
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

/** Finds a text that isn't an HTTP URL. */
export function findUrlProblem(
  at: ConfigNode | undefined,
  l10n: Localizer,
): ConfigProblem | undefined {
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

/** Finds a recipient that isn't an email address. */
export function findEmailProblem(
  at: ConfigNode | undefined,
  l10n: Localizer,
): ConfigProblem | undefined {
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
export function findUnknownValue(
  at: ConfigNode | undefined,
  values: readonly string[],
  l10n: Localizer,
): ConfigProblem | undefined {
  const written = literalString(at);
  if (!at || written === undefined || values.includes(written)) return undefined;
  const problem = createUnknownValue(at, written, values, l10n);
  return { ...problem, isUncertain: problem.replacement === undefined };
}

/** Creates the problem for a value that isn't in a list of known values. */
export function createUnknownValue(
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

/** Creates the problem for a key that an object must have. */
export function createMissingKey(
  code: ConfigProblem['code'],
  object: ConfigNode,
  key: string,
  l10n: Localizer,
): ConfigProblem {
  const message = l10n.t('The required key "{0}" is missing.', key);
  // The object can be pages long.
  return { code, at: object, mark: { ...object.node, length: 1 }, message };
}
