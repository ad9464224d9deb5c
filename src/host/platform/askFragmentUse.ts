import * as vscode from 'vscode';
import type { FragmentUse } from '../../core/documents/fragmentUse';
import { parseConfigText } from '../../core/documents/resolvedText';
import { printConfig } from '../../core/fragments/configValue';
import { variablesIn, type Variable } from '../../core/fragments/fragmentVariables';
import { displayText } from '../../core/model/displayText';
import type { Fragment } from '../../core/model/entities';
import { askStep, type InputProblem, type StepAnswer } from './prompts';

/** What a prefix may hold, since it begins the names of resources. */
const PREFIX = /^[a-zA-Z][\w-]*$/;

/** One question; the answers so far are kept when the person goes back. */
interface Question {
  readonly variable: Variable | undefined;
  answer: string;
}

/**
 * Asks how a fragment is used: by its prefix where one can be needed, and for the values of its
 * variables, with their defaults filled in. Throws `cancelled`.
 * @param usedPrefixes those under which the config uses it already, `''` for none; undefined when many
 * configs are meant, of which some may.
 */
export async function askFragmentUse(
  fragment: Fragment,
  usedPrefixes: readonly string[] | undefined,
): Promise<FragmentUse> {
  const config = parseConfigText(fragment.configText) ?? {};
  const questions: Question[] = [
    ...(usedPrefixes?.length !== 0 ? [{ variable: undefined, answer: '' }] : []),
    ...variablesIn(config).map((variable) => ({ variable, answer: defaultText(variable) })),
  ];
  for (let index = 0; index < questions.length;) {
    const question = questions[index];
    if (!question) break;
    const step = { number: index + 1, of: questions.length };
    const answer = question.variable
      ? await askVariable(fragment, question.variable, question.answer, step)
      : await askPrefix(fragment, usedPrefixes, question.answer, step);
    if (!answer.back) question.answer = answer.value.trim();
    index += answer.back ? -1 : 1;
  }
  // A default that is left as it is goes on to follow the fragment.
  const given = questions.filter(
    ({ variable, answer }) => variable && answer !== '' && answer !== defaultText(variable),
  );
  const members = given.map(
    ({ variable, answer }) => `${JSON.stringify(variable?.name)}: ${asJson(answer)}`,
  );
  return {
    id: fragment.id,
    prefix: questions.find(({ variable }) => !variable)?.answer ?? '',
    // On lines of their own, as the config they go into is laid out.
    variables: members.length === 0 ? '' : `{\n  ${members.join(',\n  ')}\n}`,
  };
}

function askPrefix(
  { name }: Fragment,
  used: readonly string[] | undefined,
  value: string,
  step: { readonly number: number; readonly of: number },
): Promise<StepAnswer> {
  return askStep({
    title: titleOf(name),
    prompt: used
      ? vscode.l10n.t('The config uses it already. A prefix sets the names of this use apart.')
      : vscode.l10n.t('Prefix for the names of what it brings. Leave it empty for none.'),
    placeholder: vscode.l10n.t('Such as left'),
    value,
    step,
    validate: (text) => prefixProblem(text.trim(), used ?? []),
  });
}

function prefixProblem(prefix: string, used: readonly string[]): InputProblem | undefined {
  if (prefix !== '' && !PREFIX.test(prefix)) {
    return {
      message: vscode.l10n.t('A prefix begins with a letter and has letters, digits, - and _.'),
      severity: 'error',
    };
  }
  if (!used.includes(prefix)) return undefined;
  return prefix === ''
    ? { message: vscode.l10n.t('Enter a prefix.'), severity: 'incomplete' }
    : { message: vscode.l10n.t('This prefix is in use already.'), severity: 'error' };
}

function askVariable(
  { name }: Fragment,
  variable: Variable,
  value: string,
  step: { readonly number: number; readonly of: number },
): Promise<StepAnswer> {
  const needed = variable.defaultValue === undefined;
  return askStep({
    title: titleOf(name),
    prompt: vscode.l10n.t(
      'Value of the variable "{0}": a text, or JSON such as 3, true or ["a"]',
      displayText(variable.name),
    ),
    value,
    step,
    validate: (text) =>
      needed && text.trim() === ''
        ? {
            message: vscode.l10n.t('There is no default: without a value the place stays open.'),
            severity: 'warning',
          }
        : undefined,
  });
}

function titleOf(name: string): string {
  return vscode.l10n.t('Add Fragment "{0}"', displayText(name));
}

function defaultText({ defaultValue }: Variable): string {
  if (defaultValue === undefined) return '';
  if (typeof defaultValue !== 'string') return printConfig(defaultValue).replace(/\n\s*/g, '');
  // A text that would read as JSON needs its quotes.
  return parseConfigText(defaultValue) === undefined ? defaultValue : JSON.stringify(defaultValue);
}

/** What is typed counts as JSON where it is some, and as a text otherwise. */
function asJson(answer: string): string {
  return parseConfigText(answer) === undefined ? JSON.stringify(answer) : answer;
}
