import * as vscode from 'vscode';
import { formatDuration } from '../../shared/formatDuration';

/** Formats a number in the locale of VS Code. */
export function formatNumber(value: number): string {
  return value.toLocaleString(vscode.env.language);
}

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const BYTES_PER_UNIT = 1_000;
const DIGITS_PER_UNIT = 3;

/** Formats a size in its largest unit, such as `1.2 GB`. */
export function formatBytes(bytes: number): string {
  const thousands = Math.floor(Math.log10(Math.max(bytes, 1)) / DIGITS_PER_UNIT);
  const index = Math.min(thousands, BYTE_UNITS.length - 1);
  const amount = bytes / BYTES_PER_UNIT ** index;
  return amount.toLocaleString(vscode.env.language, {
    style: 'unit',
    unit: BYTE_UNITS[index] ?? 'byte',
    // The short form of `byte` has no plural.
    unitDisplay: index === 0 ? 'long' : 'short',
    maximumFractionDigits: amount < 10 ? 1 : 0,
  });
}

/**
 * Formats a duration in its two largest units, such as `1 min 12 sec`. Durations below a minute
 * include tenths of a second.
 */
export function formatElapsed(milliseconds: number): string {
  return formatDuration(milliseconds, vscode.env.language, 1);
}
