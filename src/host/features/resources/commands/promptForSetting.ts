import * as vscode from 'vscode';
import { inputError, promptForText } from '../../../platform/prompts/prompts';
import { isCanceled } from '../../../../core/api/errors';

const MAX_SETTING_LENGTH = 200;

interface SettingPromptOptions {
  readonly title: string;
  readonly prompt: string;
  readonly current: string;
  /** Writes the setting. If the service rejects the value, the input box shows the reason. */
  readonly submit: (value: string) => Promise<void>;
}

/**
 * Prompts for a short text, which can be empty, and writes it. If the user confirms the text,
 * writes even an unchanged value, because another user might have changed the setting in the
 * meantime.
 */
export async function promptForSetting({
  title,
  prompt,
  current,
  submit,
}: SettingPromptOptions): Promise<void> {
  await promptForText({
    title,
    prompt,
    value: current,
    validate: (value) => {
      if (/\p{Cc}/u.test(value)) {
        return inputError(
          vscode.l10n.t("The value can't contain line breaks or control characters."),
        );
      }
      if (value.trim().length > MAX_SETTING_LENGTH) {
        return inputError(vscode.l10n.t('The value is too long.'));
      }
      return undefined;
    },
    submit: (value) => submit(value.trim()),
  });
}

/** Returns the input box prompt for a region. */
export function regionPrompt(): string {
  return vscode.l10n.t('Region for new data. Leave empty to let the service choose.');
}

/**
 * Runs one step of a multi-step command. Canceling this step returns to the previous step instead
 * of ending the command.
 */
export async function backOnCancel(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!isCanceled(error)) throw error;
  }
}
