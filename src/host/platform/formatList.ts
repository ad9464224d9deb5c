import * as vscode from 'vscode';
import { toDisplayText } from '../../core/model/toDisplayText';
import { shortList } from '../../core/model/shortList';

const MAX_NAMES = 10;

/** Joins phrases for display: `a, b and c`. */
export function formatList(phrases: readonly string[]): string {
  return new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(phrases);
}

/** Joins names of resources for a sentence, such as `arm-1, arm-2 and 40 more`. */
export function formatNames(names: readonly string[], most = MAX_NAMES): string {
  const { shown, more } = shortList(names, most);
  const named = shown.map((name) => toDisplayText(name));
  return formatList(more > 0 ? [...named, vscode.l10n.t('{0} more', more)] : named);
}
