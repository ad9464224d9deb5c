import * as vscode from 'vscode';
import { DisposableSet } from '../../../base/disposable';
import type { Event } from '../../../base/emitter';
import { canceled, FleetError, isCanceled, toFleetError } from '../../../core/api/errors';
import type { Confirmation } from '../../../core/confirmations/confirmation';
import { withoutLinks } from '../../../core/model/displayText';
import { escapeIcons } from '../text/displayText';
import {
  MAX_NAME_LENGTH,
  type NameProblem,
  nameProblem,
  type NameRules,
} from '../../../core/model/resourceName';

/** Problem with the text, or a note about the text. */
export interface InputProblem {
  readonly message: string;
  /**
   * Text with a warning or information is accepted. Incomplete input is rejected but reported only
   * on Enter, because the message replaces the prompt, which the user might still be reading.
   */
  readonly severity: 'error' | 'warning' | 'info' | 'incomplete';
}

export interface InputOptions {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string | undefined;
  readonly placeholder?: string;
  readonly password?: boolean;
  /** Number of this prompt in a multi-step sequence. */
  readonly step?: { readonly number: number; readonly of: number } | undefined;
  /** Called on every keystroke. */
  readonly validate: (value: string) => InputProblem | undefined;
  /** Fires when `validate` might return a different result for the same text. */
  readonly onDidChangeValidity?: Event<void>;
  /**
   * Runs before the box closes. If it fails, the box shows the error and the user can correct the
   * text. The signal aborts when the user dismisses the box.
   */
  readonly submit?: (value: string, signal: AbortSignal) => Promise<void>;
  /**
   * True if another dialog follows immediately. This box then remains open until the other dialog
   * opens. Otherwise, VS Code would move focus to a tree if the tree has changed in the meantime,
   * and focus would remain there.
   */
  readonly leadsToBox?: boolean | undefined;
}

/** Returns a problem that causes the prompt to reject the text. */
export function inputError(message: string): InputProblem {
  return { message, severity: 'error' };
}

const PASSING: ReadonlySet<InputProblem['severity']> = new Set(['warning', 'info']);

/** Result from one prompt in a multi-step sequence. */
export type StepResult = { readonly back: true } | { readonly back: false; readonly value: string };

/** Prompts for text. Throws `canceled` if the user dismisses the box. */
export async function promptForText(options: InputOptions): Promise<string> {
  const answer = await promptForStep(options);
  if (answer.back) throw canceled();
  return answer.value;
}

/**
 * Prompts for one string in a sequence, with a back button in every prompt except the first. Throws
 * `canceled`.
 */
export function promptForStep(options: InputOptions): Promise<StepResult> {
  const box = vscode.window.createInputBox();
  const owned = new DisposableSet();
  owned.add(box);
  const leaving = new AbortController();
  box.title = options.title;
  box.prompt = plainQuestion(options.prompt);
  box.value = options.value ?? '';
  box.placeholder = options.placeholder;
  box.password = options.password ?? false;
  box.ignoreFocusOut = true;
  box.step = options.step?.number;
  box.totalSteps = options.step?.of;
  if (options.step && options.step.number > 1) box.buttons = [vscode.QuickInputButtons.Back];

  const check = (entered: boolean): boolean => {
    const problem = options.validate(box.value);
    const quiet = problem?.severity === 'incomplete' && !entered;
    box.validationMessage = problem && !quiet ? toValidationMessage(problem) : undefined;
    return problem === undefined || PASSING.has(problem.severity);
  };

  return new Promise<StepResult>((resolve, reject) => {
    const submit = async (): Promise<void> => {
      if (box.busy || !check(true)) return;
      const { value } = box;
      box.busy = true;
      box.enabled = false;
      try {
        await options.submit?.(value, leaving.signal);
        resolve({ back: false, value });
      } catch (error) {
        if (leaving.signal.aborted) reject(toFleetError(error));
        if (isCanceled(error)) return;
        const { message } = toFleetError(error);
        box.validationMessage = toValidationMessage(inputError(message));
      } finally {
        box.busy = false;
        box.enabled = true;
      }
    };
    let touched = options.value !== undefined && options.value !== '';
    owned.add(
      box.onDidChangeValue(() => {
        touched = true;
        check(false);
      }),
    );
    if (options.onDidChangeValidity) {
      owned.add(
        options.onDidChangeValidity(() => {
          if (!box.busy) check(false);
        }),
      );
    }
    owned.add(box.onDidAccept(() => void submit()));
    owned.add(box.onDidTriggerButton(() => resolve({ back: true })));
    owned.add(
      box.onDidHide(() => {
        leaving.abort();
        // The submission can still succeed, for example with a new key whose secret must be shown.
        if (!box.busy) reject(canceled());
      }),
    );
    box.show();
    // An empty box doesn't show an error before the user has typed something.
    if (touched) check(false);
  }).finally(() => {
    if (options.leadsToBox) setTimeout(() => owned.dispose());
    else owned.dispose();
  });
}

/**
 * Prompts the user to type `name` before data is deleted. Throws `canceled` if the user dismisses
 * the box.
 */
export async function confirmByName(options: {
  readonly title: string;
  readonly prompt: string;
  readonly name: string;
}): Promise<void> {
  await promptForText({
    title: options.title,
    prompt: options.prompt,
    placeholder: options.name,
    validate: (value) =>
      value === options.name
        ? undefined
        : {
            message: vscode.l10n.t('Type "{0}" to confirm.', options.name),
            severity: options.name.startsWith(value) ? 'incomplete' : 'error',
          },
  });
}

/** Prompts for an item. Throws `canceled` if the user dismisses the list. */
export async function pickOne<T extends vscode.QuickPickItem>(
  items: readonly T[] | Promise<readonly T[]>,
  options: { readonly title: string; readonly placeholder: string },
): Promise<T> {
  const chosen = await vscode.window.showQuickPick(Promise.resolve(items), {
    title: options.title,
    placeHolder: options.placeholder,
    matchOnDescription: true,
    matchOnDetail: true,
    // VS Code doesn't return focus to a webview until the next prompt has opened, and the focus
    // change would close that prompt.
    ignoreFocusOut: true,
  });
  if (!chosen) throw canceled();
  return chosen;
}

/**
 * Prompts for confirmation before an action with external effects. Throws `canceled` if the user
 * declines.
 */
export async function confirm(question: string, detail: string, yes: string): Promise<void> {
  const options = { modal: true, detail };
  const chosen = await vscode.window.showWarningMessage(question, options, yes);
  if (chosen !== yes) throw canceled();
}

/** Prompts for confirmation of a change, like `confirm`. Throws `canceled` if the user declines. */
export function confirmChange({ question, detail, action }: Confirmation): Promise<void> {
  return confirm(question, detail, action);
}

/** Returns a prompt in which VS Code doesn't convert parts of names to icons and links. */
function plainQuestion(text: string): string {
  return escapeIcons(withoutLinks(text));
}

function toValidationMessage(problem: InputProblem): vscode.InputBoxValidationMessage {
  const { InputBoxValidationSeverity: Severity } = vscode;
  const message = plainQuestion(problem.message);
  const { severity } = problem;
  switch (severity) {
    case 'info':
      return { message, severity: Severity.Info };
    case 'warning':
      return { message, severity: Severity.Warning };
    default:
      return { message, severity: Severity.Error };
  }
}

export interface NamePromptOptions<T> extends NameRules {
  readonly title: string;
  readonly prompt: string;
  /** True if the user can leave the name empty and let the service choose it. */
  readonly allowsEmpty?: boolean;
  /**
   * Creates or renames the resource. If the service rejects the name, the input box shows the
   * reason.
   */
  readonly submit: (name: string) => Promise<T>;
  /** True if another dialog follows immediately. */
  readonly leadsToBox?: boolean;
}

/** Prompts for a resource name and returns the result of `submit`. Throws `canceled`. */
export async function promptForName<T>(options: NamePromptOptions<T>): Promise<T> {
  let done: { readonly result: T } | undefined;
  await promptForText({
    title: options.title,
    prompt: options.prompt,
    value: options.current,
    leadsToBox: options.leadsToBox,
    validate: (value) => {
      const isLeft = options.allowsEmpty === true && value.trim() === '';
      return isLeft ? undefined : inputProblem(nameProblem(value, options));
    },
    submit: async (value) => {
      done = { result: await options.submit(value.trim()) };
    },
  });
  if (!done) throw createUnansweredError();
  return done.result;
}

/** Returns the error for an input box that closed although `submit` returned no result. */
export function createUnansweredError(): FleetError {
  const message = vscode.l10n.t(
    'The input box closed before you confirmed your entry. Run the command again.',
  );
  return new FleetError('internal', message);
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
