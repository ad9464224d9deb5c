import * as vscode from 'vscode';
import { MAX_NAME_LENGTH, type ModuleNameProblem } from '../../core/modules/create/moduleName';
import { inputError, type InputProblem } from './prompts';

/** Returns the reason why a module name is invalid, regardless of the registry's content. */
export function toModuleNameProblem(
  problem: Exclude<ModuleNameProblem, 'taken'> | undefined,
): InputProblem | undefined {
  switch (problem) {
    case undefined:
      return undefined;
    case 'empty':
      return { message: vscode.l10n.t('Enter a name.'), severity: 'incomplete' };
    case 'characters':
      return inputError(
        vscode.l10n.t('A name can contain only letters, digits, dashes, and underscores.'),
      );
    case 'tooLong':
      return inputError(vscode.l10n.t('A name can have at most {0} characters.', MAX_NAME_LENGTH));
  }
}
