import * as vscode from 'vscode';
import {
  argumentLine,
  type ArgumentProblem,
  readArguments,
  type ScriptArguments,
} from '../../../core/training/submit/scriptArguments';
import { promptForText, inputError } from '../../platform/prompts';

/** Prompts for the arguments of a training script other than its data file. Throws `canceled`. */
export async function promptForArguments(current: ScriptArguments): Promise<ScriptArguments> {
  const line = await promptForText({
    title: vscode.l10n.t('Arguments'),
    prompt: vscode.l10n.t('Arguments as name=value pairs, such as epochs=10 rate=0.1 (optional)'),
    value: argumentLine(current),
    validate: (text) => {
      const { problem } = readArguments(text);
      return problem && inputError(formatArgumentProblem(problem));
    },
  });
  const read = readArguments(line);
  return read.problem ? current : read.arguments;
}

function formatArgumentProblem(problem: ArgumentProblem): string {
  switch (problem.kind) {
    case 'form':
      return vscode.l10n.t(
        '"{0}" is not a valid argument. Use name=value, for example epochs=10.',
        problem.word,
      );
    case 'repeated':
      return vscode.l10n.t('"{0}" appears twice.', problem.name);
    case 'ofService':
      return vscode.l10n.t('The service sets the argument {0}. Remove it.', problem.name);
    case 'openQuote':
      return vscode.l10n.t('A quotation mark is missing.');
  }
}
