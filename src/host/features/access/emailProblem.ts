import * as vscode from 'vscode';
import type { InputProblem } from '../../platform/prompts';

/** Says what is wrong with an address that is being typed; nothing before it can be complete. */
export function emailProblem(
  text: string,
  isEmail: (text: string) => boolean,
): InputProblem | undefined {
  if (isEmail(text)) return undefined;
  // A text without "@" is still on its way to one; more than one can no longer become an address.
  const hopeless = /\s|@.*@/u.test(text);
  return {
    message: vscode.l10n.t('Enter a valid email address, for example name@example.com.'),
    severity: hopeless ? 'error' : 'incomplete',
  };
}
