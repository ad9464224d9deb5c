import * as vscode from 'vscode';
import type { FragmentUse } from '../../../core/documents/fragmentEdits';
import { parseConfigText } from '../../../core/documents/resolvedText';
import { printConfig } from '../../../core/fragments/configValue';
import { type Variable, variablesIn } from '../../../core/fragments/fragmentImport';
import { toDisplayText } from '../../../core/model/displayText';
import type { Fragment } from '../../../core/model/entities';
import { promptForSteps, type StepOptions } from './promptSteps';
import { inputError, type InputProblem } from './prompts';

/** Matches valid prefixes, which become part of resource names. */
const PREFIX = /^[a-zA-Z][\w-]*$/;

/**
 * Prompts for the use of a fragment: its prefix, if the use might require one, and the values of
 * its variables, with their defaults filled in. Throws `canceled`.
 * @param usedPrefixes prefixes with which the config already uses the fragment, `''` for none;
 *   undefined for more than one config, some of which might already use the fragment.
 */
export async function promptForFragmentUse(
  fragment: Fragment,
  usedPrefixes: readonly string[] | undefined,
): Promise<FragmentUse> {
  const config = parseConfigText(fragment.configText) ?? {};
  const variables = variablesIn(config);
  const needsPrefix = usedPrefixes?.length !== 0;
  const answers = await promptForSteps([
    ...(needsPrefix ? [() => prefixQuestion(fragment, usedPrefixes)] : []),
    ...variables.map((variable) => () => variableQuestion(fragment, variable)),
  ]);
  const [prefix = '', values] = needsPrefix ? [answers[0], answers.slice(1)] : ['', answers];
  const members = variables.flatMap((variable, index) => {
    const answer = values[index] ?? '';
    // If the user doesn't change the default, the variable continues to follow the fragment.
    if (answer === '' || answer === formatDefault(variable)) return [];
    return [`${JSON.stringify(variable.name)}: ${asJson(answer)}`];
  });
  return {
    id: fragment.id,
    prefix,
    // Places each variable on its own line, matching the config format.
    variables: members.length === 0 ? '' : `{\n  ${members.join(',\n  ')}\n}`,
  };
}

function prefixQuestion(
  { name }: Fragment,
  used: readonly string[] | undefined,
): ReturnType<StepOptions> {
  return {
    title: formatTitle(name),
    prompt: used
      ? vscode.l10n.t(
          'The config already uses this fragment. Enter a prefix to distinguish the names of the resources that it adds.',
        )
      : vscode.l10n.t('Prefix for the names of the resources that the fragment adds (optional)'),
    placeholder: vscode.l10n.t('For example, left'),
    validate: (text) => prefixProblem(text.trim(), used ?? []),
  };
}

function prefixProblem(prefix: string, used: readonly string[]): InputProblem | undefined {
  if (prefix !== '' && !PREFIX.test(prefix)) {
    return inputError(
      vscode.l10n.t('A prefix must begin with a letter and can contain letters, digits, - and _.'),
    );
  }
  if (!used.includes(prefix)) return undefined;
  return prefix === ''
    ? { message: vscode.l10n.t('Enter a prefix.'), severity: 'incomplete' }
    : inputError(vscode.l10n.t('This prefix is already in use.'));
}

function variableQuestion({ name }: Fragment, variable: Variable): ReturnType<StepOptions> {
  const needed = variable.defaultValue === undefined;
  return {
    title: formatTitle(name),
    prompt: vscode.l10n.t(
      'Value of the variable "{0}": text, or JSON such as 3, true, or ["a"]',
      toDisplayText(variable.name),
    ),
    value: formatDefault(variable),
    validate: (text) =>
      needed && text.trim() === ''
        ? {
            message: vscode.l10n.t(
              'This variable has no default. Without a value, it remains unresolved.',
            ),
            severity: 'warning',
          }
        : undefined,
  };
}

function formatTitle(name: string): string {
  return vscode.l10n.t('Add Fragment "{0}"', toDisplayText(name));
}

function formatDefault({ defaultValue }: Variable): string {
  if (defaultValue === undefined) return '';
  if (typeof defaultValue !== 'string') return printConfig(defaultValue).replace(/\n\s*/g, '');
  // A string that is also valid JSON must be quoted.
  return parseConfigText(defaultValue) === undefined ? defaultValue : JSON.stringify(defaultValue);
}

/** Returns the input as JSON. Valid JSON is unchanged; other input becomes a string. */
function asJson(answer: string): string {
  return parseConfigText(answer) === undefined ? JSON.stringify(answer) : answer;
}
