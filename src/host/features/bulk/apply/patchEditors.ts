import * as vscode from 'vscode';
import { Disposable } from '../../../../base/disposable';
import { canceled } from '../../../../core/api/errors';
import { findJsonProblems, type JsonProblem } from '../../../../core/documents/jsonProblems';
import { setContextKey } from '../../../platform/commands/contextKeys';
import { toRange } from '../../../platform/documents/toRange';

const EMPTY_PATCH = '{\n  \n}\n';

interface Waiting {
  readonly use: () => void;
  readonly leave: () => void;
}

/** Documents in which the user writes merge patches for bulk changes. */
export class PatchEditors extends Disposable {
  private readonly waiting = new Map<string, Waiting>();

  constructor() {
    super();
    this.register(vscode.window.onDidChangeActiveTextEditor(() => this.update()));
    this.register(
      vscode.workspace.onDidCloseTextDocument(({ uri }) =>
        this.waiting.get(uri.toString())?.leave(),
      ),
    );
    this.update();
  }

  /**
   * Opens an editor for the user to write a patch. Returns the patch, which is a valid JSON object.
   * Throws `canceled`.
   */
  async promptForPatch(): Promise<string> {
    const document = await vscode.workspace.openTextDocument({
      language: 'json',
      content: EMPTY_PATCH,
    });
    const inside = new vscode.Position(1, 2);
    const selection = new vscode.Range(inside, inside);
    await vscode.window.showTextDocument(document, { preview: false, selection });
    for (let problem: string | undefined; ;) {
      await this.decision(document, problem);
      const [found] = findJsonProblems(document.getText(), 'text');
      if (!found) return document.getText();
      problem = await showProblem(document, found);
    }
  }

  /** Continues with the patch in the active editor. */
  readonly use = (): void => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    if (uri) this.waiting.get(uri.toString())?.use();
  };

  /**
   * Waits until the user continues. Throws `canceled` if the user cancels or closes the document.
   */
  private decision(document: vscode.TextDocument, problem: string | undefined): Promise<void> {
    const key = document.uri.toString();
    const decided = new Promise<void>((resolve, reject) => {
      const leave = (): void => reject(canceled());
      this.waiting.set(key, { use: resolve, leave });
    });
    void promptInMessage(problem).then((continueLabel) => {
      if (continueLabel) this.waiting.get(key)?.use();
      // If the user only dismisses the message, the button above the editor is still available.
      if (continueLabel === false) this.waiting.get(key)?.leave();
    });
    this.update();
    return decided.finally(() => {
      this.waiting.delete(key);
      this.update();
    });
  }

  private update(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const isWaiting = uri !== undefined && this.waiting.has(uri.toString());
    setContextKey('fleetwright.bulk.patchInFront', isWaiting);
  }
}

/**
 * Shows a message with the problem in the patch or, if there is none, an explanation of the syntax.
 * Resolves to true if the user continues, and to false if the user cancels.
 */
async function promptInMessage(problem: string | undefined): Promise<boolean | undefined> {
  const goOn = vscode.l10n.t('Continue');
  const leave = vscode.l10n.t('Cancel');
  const howTo = vscode.l10n.t(
    'In the merge patch, enter the keys to set, and use null for keys to remove. Then select Continue, or select the check mark above the editor.',
  );
  const chosen =
    problem === undefined
      ? await vscode.window.showInformationMessage(howTo, goOn, leave)
      : await vscode.window.showErrorMessage(problem, goOn, leave);
  return chosen === undefined ? undefined : chosen === goOn;
}

/** Selects the problem's range in the patch and returns the problem's message. */
async function showProblem(document: vscode.TextDocument, problem: JsonProblem): Promise<string> {
  const selection = toRange(document, problem);
  const { start: at } = selection;
  await vscode.window.showTextDocument(document, { preview: false, selection });
  return problem.code === 'notAnObject'
    ? vscode.l10n.t('A config merge patch must be a single JSON object, enclosed in { and }.')
    : vscode.l10n.t(
        'The merge patch is not valid JSON at line {0}, column {1}.',
        at.line + 1,
        at.character + 1,
      );
}
