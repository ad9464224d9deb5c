import { toString as describeCron } from 'cronstrue';
import 'cronstrue/locales/de';
import 'cronstrue/locales/ja';
import 'cronstrue/locales/zh_CN';
import type { Localizer } from '../../base/localizer';

/** Schedule for a job that calls its resource without a pause. */
export const CONTINUOUS = 'continuous';

const DURATION_PART = /(?<value>\d+(?:\.\d*)?|\.\d+)(?<unit>ns|us|µs|μs|ms|s|m|h)/y;

/** Units of Go's `time.ParseDuration`, in milliseconds. */
const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/**
 * Parses a duration in the format of Go's `time.ParseDuration`, such as `1h30m` or `-1.5s`.
 *
 * @returns the duration in milliseconds; undefined if the text isn't a duration.
 */
export function parseDuration(text: string): number | undefined {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  const magnitude = text.slice(sign.length);
  // Zero is the only duration without a unit.
  if (magnitude === '0') return 0;
  let total = 0;
  DURATION_PART.lastIndex = 0;
  while (DURATION_PART.lastIndex < magnitude.length) {
    const { value, unit } = DURATION_PART.exec(magnitude)?.groups ?? {};
    if (value === undefined || unit === undefined) return undefined;
    total += Number(value) * (UNIT_MS[unit] ?? 0);
  }
  if (magnitude === '') return undefined;
  return sign === '-' ? -total : total;
}

/** Time zone before the fields of a cron expression. */
const TIME_ZONE = /^(?:CRON_)?TZ=\S+\s+/;
const NAMED_SCHEDULE = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)$/;

/**
 * Locales of the cron descriptions, by display language, for the languages that the extension is
 * translated to.
 */
const CRON_LOCALES: Readonly<Record<string, string>> = { de: 'de', ja: 'ja', 'zh-cn': 'zh_CN' };

/** Parsed schedule of a job. */
export type Schedule =
  | { readonly kind: 'continuous' }
  | { readonly kind: 'interval'; readonly milliseconds: number }
  /** `description` is a phrase such as `At 02:40`. */
  | { readonly kind: 'cron'; readonly description: string };

/**
 * Parses a job's schedule: `continuous`, a positive duration, or a cron expression with five
 * fields, or six if it starts with seconds.
 *
 * @param language VS Code's display language, for the description of a cron expression
 * @returns undefined if the schedule is invalid.
 */
export function parseSchedule(text: string, language = 'en'): Schedule | undefined {
  if (text.toLowerCase() === CONTINUOUS) return { kind: 'continuous' };
  const milliseconds = parseDuration(text.replace(/^@every /, ''));
  if (milliseconds !== undefined) {
    return milliseconds > 0 ? { kind: 'interval', milliseconds } : undefined;
  }
  const fields = text.replace(TIME_ZONE, '').trim().split(/\s+/);
  const [first = ''] = fields;
  const isNamed = fields.length === 1 && NAMED_SCHEDULE.test(first);
  if (!isNamed && fields.length !== 5 && fields.length !== 6) return undefined;
  try {
    const description = describeCron(fields.join(' '), {
      locale: CRON_LOCALES[language.toLowerCase()] ?? 'en',
      use24HourTimeFormat: true,
      verbose: true,
      throwExceptionOnParseError: true,
    });
    return { kind: 'cron', description };
  } catch {
    return undefined;
  }
}

const WEEKDAY_NAMES = /SUN|MON|TUE|WED|THU|FRI|SAT/gi;
/** Characters that only other cron dialects have: last day, nearest weekday, and nth weekday. */
const UNSUPPORTED_CHARACTER = /[LW#]/i;
/** Sunday as 7, alone, in a list, or at the end of a range, but not as the length of a step. */
const SUNDAY_AS_SEVEN = /(?:^|[,-])7(?=$|[,/-])/;

/**
 * Returns the part of a cron expression that other cron programs support but machines don't: `L`,
 * `W`, `#`, or `7` for Sunday. Undefined if there is none.
 */
export function findUnsupportedCronPart(text: string): 'L' | 'W' | '#' | '7' | undefined {
  const fields = text.replace(TIME_ZONE, '').trim().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6) return undefined;
  const [day = '', , weekday = ''] = fields.slice(-3);
  const characters = `${day} ${weekday.replaceAll(WEEKDAY_NAMES, '')}`;
  const character = UNSUPPORTED_CHARACTER.exec(characters)?.[0].toUpperCase();
  if (character === 'L' || character === 'W' || character === '#') return character;
  return SUNDAY_AS_SEVEN.test(weekday) ? '7' : undefined;
}

/** Formats a schedule for a hover. */
export function describeSchedule(schedule: Schedule, l10n: Localizer): string {
  switch (schedule.kind) {
    case 'continuous':
      return l10n.t('Runs again as soon as the previous call has ended');
    case 'interval':
      return l10n.t('Runs every {0}', formatInterval(schedule.milliseconds));
    case 'cron':
      return schedule.description;
  }
}

function formatInterval(milliseconds: number): string {
  const units = [
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
    ['ms', 1],
  ] as const;
  let rest = milliseconds;
  const parts = units.flatMap(([unit, size]) => {
    const count = unit === 'ms' ? Number(rest.toPrecision(6)) : Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? [`${String(count)} ${unit}`] : [];
  });
  return parts.join(' ');
}
