import * as vscode from 'vscode';
import { DisposableSet } from '../../base/disposable';
import type { Event } from '../../base/emitter';
import { canceled, isCanceled, toFleetError } from '../../core/api/errors';
import { withoutLinks } from '../../core/model/displayText';
import { escapeIcons } from './quickText';

/** Why a text is not accepted. */
export interface InputProblem {
  readonly message: string;
  /**
   * Warnings and information let the text pass. What is incomplete does not pass, but says so only at
   * Enter: the message takes the place of the question, which the person may still be reading.
   */
  readonly severity: 'error' | 'warning' | 'info' | 'incomplete';
}

export interface InputOptions {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string | undefined;
  readonly placeholder?: string;
  readonly password?: boolean;
  /** The place of this question among several. */
  readonly step?: { readonly number: number; readonly of: number } | undefined;
  /** Called at every keystroke. */
  readonly validate: (value: string) => InputProblem | undefined;
  /** Fires when `validate` may say something else of the same text. */
  readonly onDidChangeValidity?: Event<void>;
  /**
   * Does the work before the box closes, so that a refusal is shown in it and can be mended there.
   * The signal aborts when the person leaves.
   */
  readonly submit?: (value: string, signal: AbortSignal) => Promise<void>;
  /**
   * Another box comes at once, and this one stays until it is there. Between the two, VS Code would
   * give the focus to a tree that the work has changed, and the tree would keep it.
   */
  readonly leadsToBox?: boolean | undefined;
}

/** A problem that lets nothing pass. */
export function inputError(message: string): InputProblem {
  return { message, severity: 'error' };
}

const PASSING: ReadonlySet<InputProblem['severity']> = new Set(['warning', 'info']);

/** What a question with several steps ends in. */
export type StepAnswer = { readonly back: true } | { readonly back: false; readonly value: string };

/** Asks for a text. Throws `canceled` when the person leaves. */
export async function askText(options: InputOptions): Promise<string> {
  const answer = await askStep(options);
  if (answer.back) throw canceled();
  return answer.value;
}

/** Asks for one text of several, with a way back after the first. Throws `canceled`. */
export function askStep(options: InputOptions): Promise<StepAnswer> {
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

  return new Promise<StepAnswer>((resolve, reject) => {
    const submit = async (): Promise<void> => {
      if (box.busy || !check(true)) return;
      const { value } = box;
      box.busy = true;
      box.enabled = false;
      try {
        await options.submit?.(value, leaving.signal);
        resolve({ back: false, value });
      } catch (error) {
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
        reject(canceled());
      }),
    );
    box.show();
    // An empty box that nobody has typed in yet needs no complaint.
    if (touched) check(false);
  }).finally(() => {
    if (options.leadsToBox) setTimeout(() => owned.dispose());
    else owned.dispose();
  });
}

/** Asks to type `name` before something is destroyed. Throws `canceled` when the person leaves. */
export async function confirmByName(options: {
  readonly title: string;
  readonly prompt: string;
  readonly name: string;
}): Promise<void> {
  await askText({
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

/** Asks for one of several. Throws `canceled` when the person leaves. */
export async function askOne<T extends vscode.QuickPickItem>(
  items: readonly T[] | Promise<readonly T[]>,
  options: { readonly title: string; readonly placeholder: string },
): Promise<T> {
  const chosen = await vscode.window.showQuickPick(Promise.resolve(items), {
    title: options.title,
    placeHolder: options.placeholder,
    matchOnDescription: true,
    matchOnDetail: true,
    // VS Code gives the focus back to a webview only after the next prompt is there, which would close it.
    ignoreFocusOut: true,
  });
  if (!chosen) throw canceled();
  return chosen;
}

/** Asks for a yes before something with an effect outside. Throws `canceled` for a no. */
export async function confirm(question: string, detail: string, yes: string): Promise<void> {
  const options = { modal: true, detail };
  const chosen = await vscode.window.showWarningMessage(question, options, yes);
  if (chosen !== yes) throw canceled();
}

/** Names stand in questions, where VS Code would make icons and links of what they hold. */
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
