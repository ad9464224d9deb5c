import * as vscode from 'vscode';
import { displayText } from '../../../core/model/displayText';

export type Fact = readonly [name: string, value: string];

/** A title with facts below it, one a line; those that are empty are not known, and left out. */
export function factsText(title: string, facts: readonly Fact[]): string {
  const known = facts.filter(([, value]) => value !== '');
  return [title, ...known.map(([name, value]) => `${name}: ${displayText(value)}`)].join('\n');
}

/** A moment as people of the language of VS Code write it; empty when it is not known. */
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
