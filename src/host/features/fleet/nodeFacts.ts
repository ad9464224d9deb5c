import * as vscode from 'vscode';
import { toDisplayText } from '../../../core/model/displayText';

export type Fact = readonly [name: string, value: string];

/**
 * Formats a title with facts below it, one per line. Omits empty facts, whose values are unknown.
 */
export function formatFacts(title: string, facts: readonly Fact[]): string {
  const known = facts.filter(([, value]) => value !== '');
  return [title, ...known.map(([name, value]) => `${name}: ${toDisplayText(value)}`)].join('\n');
}

/** Formats a timestamp in VS Code's locale; empty if the timestamp is unknown. */
export function formatTime(
  time: Date | undefined,
  now: Date,
  timeStyle: 'short' | 'medium' = 'short',
): string {
  if (!time) return '';
  const format = new Intl.DateTimeFormat(vscode.env.language, {
    dateStyle: time.getFullYear() === now.getFullYear() ? 'medium' : 'long',
    timeStyle,
  });
  return format.format(time);
}
