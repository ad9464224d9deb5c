import * as vscode from 'vscode';
import { displayText } from '../../core/model/displayText';
import { shortList } from '../../core/model/shortList';

const MOST_NAMES = 10;

/** Joins phrases for display: `a, b and c`. */
export function listText(phrases: readonly string[]): string {
  return new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(phrases);
}

/** Joins names of resources for a sentence, such as `arm-1, arm-2 and 40 more`. */
export function namesText(names: readonly string[], most = MOST_NAMES): string {
  const { shown, more } = shortList(names, most);
  const named = shown.map((name) => displayText(name));
  return listText(more > 0 ? [...named, vscode.l10n.t('{0} more', more)] : named);
}
