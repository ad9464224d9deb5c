import * as vscode from 'vscode';
import { askText, inputError } from '../../platform/prompts';

const LONGEST_SETTING = 200;

export interface AskSettingOptions {
  readonly title: string;
  readonly prompt: string;
  readonly current: string;
  /** Writes the setting; rejections of the service are shown in the input box. */
  readonly submit: (value: string) => Promise<void>;
}

/**
 * Prompts for a short text, which can be empty, and writes it. Also writes the unchanged initial
 * text when it is confirmed: another user can have changed the setting since.
 */
export async function askSetting({
  title,
  prompt,
  current,
  submit,
}: AskSettingOptions): Promise<void> {
  await askText({
    title,
    prompt,
    value: current,
    validate: (value) => {
      if (/\p{Cc}/u.test(value)) {
        return inputError(vscode.l10n.t("It can't contain line breaks or control characters."));
      }
      if (value.trim().length > LONGEST_SETTING)
        return inputError(vscode.l10n.t('It is too long.'));
      return undefined;
    },
    submit: (value) => submit(value.trim()),
  });
}
