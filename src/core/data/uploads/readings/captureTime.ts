const UNITS = ['s', 'ms', 'us', 'ns'] as const;
export type EpochUnit = (typeof UNITS)[number];

/** Time format in a column: ISO 8601, or the time since 1970 in a given unit. */
export type TimeForm =
  | { readonly kind: 'iso' }
  | { readonly kind: 'epoch'; readonly unit: EpochUnit };

/** Time zone for times that don't specify one: UTC, or the time zone of this computer. */
export type AssumedZone = 'utc' | 'local';

/**
 * Number of digits before the decimal point, which reveals the unit, for times from 1973 to 5138.
 * Smaller numbers count from another origin, such as the start of a machine, and are not
 * timestamps.
 */
const DIGITS: Readonly<Record<EpochUnit, readonly [min: number, max: number]>> = {
  s: [9, 11],
  ms: [12, 14],
  us: [15, 17],
  ns: [18, 20],
};
/** Powers of ten from the unit to microseconds. */
const POWERS: Readonly<Record<EpochUnit, number>> = { s: 6, ms: 3, us: 0, ns: -3 };

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i;
const NUMBER = /^(\d+)(?:\.(\d+))?$/;
const EXPONENT = /^\d+(?:\.\d+)?e\+?\d+$/i;
const MILLISECONDS_PER_MINUTE = 60_000;

/**
 * Returns the format that most of the samples have, ignoring empty samples; undefined if fewer than
 * half of them are times.
 */
export function detectTimeForm(samples: readonly string[]): TimeForm | undefined {
  const filled = samples.map((text) => text.trim()).filter((text) => text !== '');
  const forms: readonly TimeForm[] = [
    { kind: 'iso' },
    ...UNITS.map((unit): TimeForm => ({ kind: 'epoch', unit })),
  ];
  const fitting = (form: TimeForm): number =>
    filled.filter((text) => parseMicros(text, form, 'utc') !== undefined).length;
  const best = forms
    .map((form) => ({ form, fits: fitting(form) }))
    .reduce((one, other) => (other.fits > one.fits ? other : one));
  return best.fits > 0 && best.fits * 2 >= filled.length ? best.form : undefined;
}

/**
 * Parses a time as microseconds since 1970 and truncates higher precision; returns undefined if the
 * text doesn't have this format.
 */
export function parseMicros(text: string, form: TimeForm, zone: AssumedZone): number | undefined {
  const trimmed = text.trim();
  const micros = form.kind === 'iso' ? isoMicros(trimmed, zone) : epochMicros(trimmed, form.unit);
  return micros !== undefined && Number.isSafeInteger(micros) ? micros : undefined;
}

/** Returns true if an ISO time doesn't specify a time zone. */
export function isZoneMissing(text: string): boolean {
  const parts = ISO.exec(text.trim());
  return parts !== null && parts[8] === undefined;
}

function epochMicros(text: string, unit: EpochUnit): number | undefined {
  const plain = EXPONENT.test(text) ? formatInteger(Number(text)) : text;
  const [, whole, fraction = ''] = NUMBER.exec(plain) ?? [];
  const [min, max] = DIGITS[unit];
  if (whole === undefined || whole.length < min || whole.length > max) return undefined;
  const power = POWERS[unit];
  const digits =
    power < 0 ? whole.slice(0, power) : whole + fraction.slice(0, power).padEnd(power, '0');
  return Number(digits);
}

/**
 * Formats an integer without an exponent; returns an empty string for a number beyond the range of
 * doubles.
 */
function formatInteger(value: number): string {
  return Number.isFinite(value) ? BigInt(Math.round(value)).toString() : '';
}

function isoMicros(text: string, zone: AssumedZone): number | undefined {
  const parts = ISO.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0));
  const isReal =
    month >= 1 && month <= 12 && day >= 1 && hour <= 24 && minute <= 59 && second <= 60;
  if (!isReal || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  const offset = parts[8];
  const milliseconds =
    offset === undefined && zone === 'local'
      ? new Date(year, month - 1, day, hour, minute, second).getTime()
      : Date.UTC(year, month - 1, day, hour, minute, second) - offsetMilliseconds(offset);
  return milliseconds * 1_000 + Number((parts[7] ?? '').slice(0, 6).padEnd(6, '0'));
}

function offsetMilliseconds(offset: string | undefined): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset ?? '') ?? [];
  if (hours === undefined) return 0;
  const size = (Number(hours) * 60 + Number(minutes)) * MILLISECONDS_PER_MINUTE;
  return sign === '-' ? -size : size;
}
