import * as vscode from 'vscode';

const MS_PER_SECOND = 1_000;
const SECONDS_PER_UNIT = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;
const UNITS = ['day', 'hour', 'minute', 'second'] as const;

/** A number as people of the language of VS Code write it. */
export function numberText(value: number): string {
  return value.toLocaleString(vscode.env.language);
}

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const BYTES_PER_UNIT = 1_000;
const DIGITS_PER_UNIT = 3;

/** How much data that is, in its largest unit, such as `1.2 GB`. */
export function bytesText(bytes: number): string {
  const thousands = Math.floor(Math.log10(Math.max(bytes, 1)) / DIGITS_PER_UNIT);
  const index = Math.min(thousands, BYTE_UNITS.length - 1);
  const amount = bytes / BYTES_PER_UNIT ** index;
  return amount.toLocaleString(vscode.env.language, {
    style: 'unit',
    unit: BYTE_UNITS[index] ?? 'byte',
    // The short form of bytes knows no plural.
    unitDisplay: index === 0 ? 'long' : 'short',
    maximumFractionDigits: amount < 10 ? 1 : 0,
  });
}

/** How long something took, in its two largest units, such as `1 min 12 sec`; below a minute with tenths. */
export function durationText(milliseconds: number): string {
  const seconds = milliseconds / MS_PER_SECOND;
  if (seconds < SECONDS_PER_UNIT.minute) return unitText(seconds, 'second', 1);
  const largest = UNITS.findIndex((unit) => seconds >= SECONDS_PER_UNIT[unit]);
  let rest = Math.round(seconds);
  const pieces = UNITS.slice(largest, largest + 2).map((unit) => {
    const count = Math.floor(rest / SECONDS_PER_UNIT[unit]);
    rest -= count * SECONDS_PER_UNIT[unit];
    return count === 0 ? '' : unitText(count, unit, 0);
  });
  return pieces.filter((piece) => piece !== '').join(' ');
}

function unitText(count: number, unit: (typeof UNITS)[number], digits: number): string {
  return count.toLocaleString(vscode.env.language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  });
}
