import type { Buffer } from 'node:buffer';

const EXPONENT_BIAS = 6176;
const MAX_DIGITS = 34;
const MAX_COEFFICIENT = 10n ** 34n - 1n;
/** Minimum exponent of numbers that are formatted without scientific notation. */
const MIN_PLAIN_EXPONENT = -6;

/**
 * Formats a 128-bit decimal with all its digits
 * (https://github.com/mongodb/specifications/blob/master/source/bson-decimal128/decimal128.md).
 */
export function formatDecimal(bytes: Buffer, at: number): string {
  const { sign, digits, exponent } = readDecimal(bytes, at);
  return sign + (exponent === undefined ? digits : written(digits, exponent));
}

interface Decimal {
  readonly sign: '-' | '';
  /** Digits of the integer coefficient, or `Infinity` or `NaN`. */
  readonly digits: string;
  /** Power of 10 by which the coefficient is multiplied; undefined for NaN and infinities. */
  readonly exponent: number | undefined;
}

/** Decodes the parts of a 128-bit decimal. */
export function readDecimal(bytes: Buffer, at: number): Decimal {
  const high = bytes.readBigUInt64LE(at + 8);
  const combination = Number((high >> 58n) & 0x1fn);
  if (combination === 0x1f) return { sign: '', digits: 'NaN', exponent: undefined };
  const sign = high >> 63n === 1n ? '-' : '';
  if (combination === 0x1e) return { sign, digits: 'Infinity', exponent: undefined };
  // In this encoding, the coefficient has more than 34 digits, which is defined to represent zero.
  const isLarge = combination >= 0x18;
  const exponent = Number((high >> (isLarge ? 47n : 49n)) & 0x3fffn) - EXPONENT_BIAS;
  const coefficient = ((high & 0x1ffffffffffffn) << 64n) | bytes.readBigUInt64LE(at);
  const isZero = isLarge || coefficient > MAX_COEFFICIENT;
  return { sign, digits: isZero ? '0' : String(coefficient), exponent };
}

function written(digits: string, exponent: number): string {
  const scientific = exponent + digits.length - 1;
  if (exponent > 0 || scientific < MIN_PLAIN_EXPONENT || digits.length > MAX_DIGITS) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    return `${digits.slice(0, 1)}${fraction}E${scientific < 0 ? '' : '+'}${scientific}`;
  }
  if (exponent === 0) return digits;
  const padded = digits.padStart(1 - exponent, '0');
  return `${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}
