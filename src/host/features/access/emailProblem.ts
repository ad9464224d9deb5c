import * as vscode from 'vscode';
import type { InputProblem } from '../../platform/prompts';

/**
 * Validates an email address while it is being typed; undefined while it can still become valid.
 */
export function emailProblem(
  text: string,
  isEmail: (text: string) => boolean,
): InputProblem | undefined {
  if (isEmail(text)) return undefined;
  // A text without "@" is incomplete; one with several can't become valid.
  const hopeless = /\s|@.*@/u.test(text);
  return {
    message: vscode.l10n.t('Enter a valid email address, for example name@example.com.'),
    severity: hopeless ? 'error' : 'incomplete',
  };
}
