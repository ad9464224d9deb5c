import * as vscode from 'vscode';
import type { InputProblem } from '../../platform/prompts';

/**
 * Validates an email address while the user is typing it. Returns undefined if the address is valid
 * or can still become valid.
 */
export function emailProblem(
  text: string,
  isEmail: (text: string) => boolean,
): InputProblem | undefined {
  if (isEmail(text)) return undefined;
  // A text without "@" is incomplete, but a text with more than one "@" can't become valid.
  const hopeless = /\s|@.*@/u.test(text);
  return {
    message: vscode.l10n.t('Enter a valid email address, for example name@example.com.'),
    severity: hopeless ? 'error' : 'incomplete',
  };
}
