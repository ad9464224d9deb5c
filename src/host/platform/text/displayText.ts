import * as vscode from 'vscode';
import { shortList, toDisplayText } from '../../../core/model/displayText';
import { formatDuration } from '../../../shared/formatDuration';

const MAX_NAMES = 10;

/** Joins phrases for display: `a, b and c`. */
export function formatList(phrases: readonly string[]): string {
  return new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(phrases);
}

/** Joins names of resources for a sentence, such as `arm-1, arm-2 and 40 more`. */
export function formatNames(names: readonly string[], maxNames = MAX_NAMES): string {
  const { shown, more } = shortList(names, maxNames);
  const named = shown.map((name) => toDisplayText(name));
  return formatList(more > 0 ? [...named, vscode.l10n.t('{0} more', more)] : named);
}

/** Formats a number in VS Code's locale. */
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
 * Formats a duration in its two largest units, such as `1 min 12 sec`. Durations under a minute
 * include tenths of a second.
 */
export function formatElapsed(milliseconds: number): string {
  return formatDuration(milliseconds, vscode.env.language, 1);
}

/** Formats a timestamp to the minute, in this computer's time zone and VS Code's locale. */
export function formatDateTime(at: Date): string {
  return at.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Formats a timestamp to the second. */
export function formatDateTimeWithSeconds(at: Date): string {
  return at.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'medium' });
}

/**
 * Formats remote text for a quick pick or the status bar, where `$(` would otherwise start an icon.
 */
export function toQuickPickText(text: string): string {
  return escapeIcons(toDisplayText(text));
}

/**
 * Joins the names of a resource's parents. The separator `›` means outermost first, and `‹` means
 * innermost first.
 */
export function quickPath(names: readonly string[], separator: '›' | '‹' = '›'): string {
  return escapeIcons(names.map((name) => toDisplayText(name)).join(` ${separator} `));
}

/** Returns a label that consists of an icon and remote text. The remote text can't add icons. */
export function iconLabel(icon: string, text: string): string {
  return `$(${icon}) ${escapeIcons(text)}`;
}

/** Escapes `$(`, which would start an icon, in text whose parts are otherwise safe. */
export function escapeIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}
