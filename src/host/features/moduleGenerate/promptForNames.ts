import * as vscode from 'vscode';
import { moduleNameProblem } from '../../../core/modules/create/moduleName';
import type { ModuleApi } from '../../../core/modules/generate/moduleApi';
import { promptForSteps } from '../../platform/promptForSteps';
import { toModuleNameProblem } from '../../platform/toModuleNameProblem';
import type { InputProblem } from '../../platform/prompts';

/** Names of a module and its model. */
export interface ModuleNames {
  readonly moduleName: string;
  readonly modelName: string;
}

/** Prompts for the names of a module and its model. Throws `canceled`. */
export async function promptForNames(namespace: string, api: ModuleApi): Promise<ModuleNames> {
  const title = vscode.l10n.t('Create Module Project');
  const [moduleName = '', modelName = ''] = await promptForSteps([
    () => ({
      title,
      prompt: vscode.l10n.t(
        'Name of the module and its folder. The module ID begins with {0}',
        `${namespace}:`,
      ),
      validate: nameProblem,
    }),
    ([module = '']) => ({
      title,
      prompt: vscode.l10n.t(
        'Name of the model. In machine configs, it begins with {0}',
        `${namespace}:${module}:`,
      ),
      value: api.key.toLowerCase(),
      validate: nameProblem,
      leadsToBox: true,
    }),
  ]);
  return { moduleName, modelName };
}

function nameProblem(text: string): InputProblem | undefined {
  const problem = moduleNameProblem(text.trim(), new Set());
  return problem === 'taken' ? undefined : toModuleNameProblem(problem);
}
