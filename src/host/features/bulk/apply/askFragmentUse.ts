import * as vscode from 'vscode';
import type { ConfigChange } from '../../../../core/bulk/configChange';
import { FleetError } from '../../../../core/api/errors';
import { findJsonProblems } from '../../../../core/documents/jsonProblems';
import { displayName } from '../../../../core/model/displayText';
import type { FragmentTarget } from '../../../../core/model/resourceTarget';
import { askStep, type InputProblem } from '../../../platform/prompts';

/** What a prefix may hold, since it begins the names of resources. */
const PREFIX = /^[a-zA-Z][\w-]*$/;

/** Asks how a fragment is used: its prefix and its variables, both optional. Throws `cancelled`. */
export async function askFragmentUse(fragment: FragmentTarget): Promise<ConfigChange> {
  const fragmentName = displayName({ name: fragment.name, id: fragment.fragmentId });
  const title = vscode.l10n.t('Add Fragment "{0}"', fragmentName);
  let [prefix, variables] = ['', ''];
  for (;;) {
    const first = await askStep({
      title,
      prompt: vscode.l10n.t('Prefix for the names of what it brings. Leave it empty for none.'),
      value: prefix,
      step: { number: 1, of: 2 },
      validate: prefixProblem,
    });
    if (first.back) throw new FleetError('cancelled', 'Cancelled.');
    prefix = first.value.trim();
    const second = await askStep({
      title,
      prompt: vscode.l10n.t('Its variables as a JSON object. Leave it empty for none.'),
      placeholder: '{ "port": 8080 }',
      value: variables,
      step: { number: 2, of: 2 },
      validate: variablesProblem,
    });
    if (second.back) continue;
    variables = second.value.trim();
    return {
      kind: 'addFragment',
      fragmentName,
      use: { id: fragment.fragmentId, prefix, variables },
    };
  }
}

function prefixProblem(value: string): InputProblem | undefined {
  const prefix = value.trim();
  if (prefix === '' || PREFIX.test(prefix)) return undefined;
  return {
    message: vscode.l10n.t('A prefix begins with a letter and has letters, digits, - and _.'),
    severity: 'error',
  };
}

function variablesProblem(value: string): InputProblem | undefined {
  if (value.trim() === '' || findJsonProblems(value, 'text').length === 0) return undefined;
  return {
    message: vscode.l10n.t('This is not a valid JSON object, written in { and }.'),
    severity: 'error',
  };
}
