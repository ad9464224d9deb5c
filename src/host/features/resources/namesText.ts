import * as vscode from 'vscode';
import { displayText } from '../../../core/model/displayText';
import { shortList } from '../../../core/model/shortList';

const LONGEST_LIST = 10;

/** Names of resources in a sentence, such as `arm-1, arm-2 and 40 more`. */
export function namesText(names: readonly string[]): string {
  const { shown, more } = shortList(names, LONGEST_LIST);
  const list = shown.map((name) => displayText(name)).join(', ');
  return more === 0 ? list : vscode.l10n.t('{0} and {1} more', list, more);
}
