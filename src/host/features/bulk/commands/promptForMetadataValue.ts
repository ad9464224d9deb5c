import type { JsonValue } from '@bufbuild/protobuf';
import * as vscode from 'vscode';
import type { MetadataValue } from '../../../../core/bulk/metadataValue';
import { findJsonProblems } from '../../../../core/documents/jsonProblems';
import { promptForSteps } from '../../../platform/promptForSteps';
import { formatJsonProblem } from '../../../platform/formatJsonProblem';
import { type InputProblem, inputError } from '../../../platform/prompts';

/** Prompts for a key and a JSON value. Throws `canceled`. */
export async function promptForMetadataValue(counted: string): Promise<MetadataValue> {
  const title = vscode.l10n.t('Set Metadata Value on {0}', counted);
  const [key = '', text = ''] = await promptForSteps([
    () => ({
      title,
      prompt: vscode.l10n.t('Metadata key'),
      placeholder: 'site',
      validate: keyProblem,
    }),
    ([chosen = '']) => ({
      title,
      prompt: vscode.l10n.t('Value of "{0}" as JSON. Enclose text in double quotes.', chosen),
      placeholder: '"north"',
      validate: valueProblem,
    }),
  ]);
  return { key, value: JSON.parse(text) as JsonValue };
}

function keyProblem(key: string): InputProblem | undefined {
  if (key.trim() !== '') return undefined;
  return { message: vscode.l10n.t('Enter a key.'), severity: 'incomplete' };
}

function valueProblem(text: string): InputProblem | undefined {
  if (text.trim() === '') {
    return { message: vscode.l10n.t('Enter a value.'), severity: 'incomplete' };
  }
  // On the wire, all metadata is one object, in which numbers are doubles and keys are unique.
  const [problem] = findJsonProblems(`{"":${text}\n}`, 'struct');
  switch (problem?.code) {
    case undefined:
      return undefined;
    case 'numberNotKept':
    case 'numberOutOfRange':
    case 'unpairedSurrogate':
    case 'duplicateKey':
      return inputError(formatJsonProblem(problem));
    default:
      return /^[^"[{\d-]/.test(text.trim())
        ? inputError(vscode.l10n.t('This is not valid JSON. Enclose text in double quotes.'))
        : inputError(vscode.l10n.t('This is not valid JSON.'));
  }
}
