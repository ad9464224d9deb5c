import * as vscode from 'vscode';
import { FleetError } from '../../core/api/errors';
import {
  MAX_NAME_LENGTH,
  type NameProblem,
  nameProblem,
  type NameRules,
} from '../../core/model/resourceName';
import { promptForText, type InputProblem, inputError } from './prompts';

export interface NamePromptOptions<T> extends NameRules {
  readonly title: string;
  readonly prompt: string;
  /** True if the user can leave the name empty and let the service choose it. */
  readonly mayBeEmpty?: boolean;
  /**
   * Creates or renames the resource. If the service rejects the name, the input box shows the
   * reason.
   */
  readonly submit: (name: string) => Promise<T>;
  /** True if another dialog follows immediately. */
  readonly leadsToBox?: boolean;
}

/** Prompts for the name of a resource and returns the result of `submit`. Throws `canceled`. */
export async function promptForName<T>(options: NamePromptOptions<T>): Promise<T> {
  let done: { readonly result: T } | undefined;
  await promptForText({
    title: options.title,
    prompt: options.prompt,
    value: options.current,
    leadsToBox: options.leadsToBox,
    validate: (value) => {
      const isLeft = options.mayBeEmpty === true && value.trim() === '';
      return isLeft ? undefined : inputProblem(nameProblem(value, options));
    },
    submit: async (value) => {
      done = { result: await options.submit(value.trim()) };
    },
  });
  if (!done) throw new FleetError('internal', 'The box closed before its work was done.');
  return done.result;
}

function inputProblem(problem: NameProblem | undefined): InputProblem | undefined {
  switch (problem) {
    case undefined:
      return undefined;
    case 'empty':
      return inputError(vscode.l10n.t('Enter a name.'));
    case 'controlCharacters':
      return inputError(
        vscode.l10n.t(
          "A name can't contain line breaks, control characters, or text direction marks. Remove them.",
        ),
      );
    case 'tooLong':
      return inputError(vscode.l10n.t('A name can have at most {0} characters.', MAX_NAME_LENGTH));
    case 'taken':
      return {
        message: vscode.l10n.t('An item here already has this name.'),
        severity: 'warning',
      };
  }
}
