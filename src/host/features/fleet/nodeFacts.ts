import * as vscode from 'vscode';
import { displayText } from '../../../core/model/displayText';

export type Fact = readonly [name: string, value: string];

/** Formats a title with facts below it, one per line; omits empty ones, which are unknown. */
export function factsText(title: string, facts: readonly Fact[]): string {
  const known = facts.filter(([, value]) => value !== '');
  return [title, ...known.map(([name, value]) => `${name}: ${displayText(value)}`)].join('\n');
}

/** Formats a timestamp in the locale of VS Code; empty if it is unknown. */
export function momentText(
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
