import * as vscode from 'vscode';
import { isItemName, isPackageVersion } from '../../../core/model/packageNames';
import { LATEST } from '../../../core/model/versionPin';
import { inputError, type InputProblem } from '../prompts/prompts';
import { MAX_NAME_LENGTH, type ModuleNameProblem } from '../../../core/modules/moduleNames';

/**
 * Validates a registry item name.
 * @param isTaken true if an item of another type has the name
 */
export function itemNameProblem(name: string, isTaken: boolean): InputProblem | undefined {
  if (name === '') return { message: vscode.l10n.t('Enter a name.'), severity: 'incomplete' };
  if (!isItemName(name)) {
    return inputError(vscode.l10n.t('Use up to 200 letters, digits, dashes, and underscores.'));
  }
  return isTaken
    ? inputError(vscode.l10n.t('An item of another type already has this name.'))
    : undefined;
}

/** Validates a package version, regardless of existing versions. */
export function packageVersionProblem(version: string): InputProblem | undefined {
  if (version === '') return { message: vscode.l10n.t('Enter a version.'), severity: 'incomplete' };
  if (isPackageVersion(version)) return undefined;
  return inputError(
    version === LATEST
      ? vscode.l10n.t('"latest" is reserved for the most recent version. Enter another version.')
      : vscode.l10n.t(
          'A version must begin with a letter or a digit and can contain at most 100 letters, digits, periods, dashes, underscores, and plus signs.',
        ),
  );
}

/** Returns the reason that a module name is invalid, regardless of the registry's contents. */
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
