import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { DocumentArgument } from '../../../manifest/commandArguments';
import type { CommandId } from '../../../manifest/commands';
import type { Commands } from '../../platform/commands/commandRegistry';
import { pickOne } from '../../platform/prompts/prompts';
import type { ConflictResolver, OpenDocument } from './conflictResolver';
import type { DocumentOpener } from './documentOpener';
import { getFileName } from '../../platform/documents/documentUris';
import type { MergeReview } from './mergeReview';
import { CONFLICT_PROBLEM } from './fleetFileSystem';

/** Actions for documents in conflict. */
export interface ConflictActions {
  readonly resolver: ConflictResolver;
  readonly review: MergeReview;
}

/** Registers the conflict commands for menus, messages, quick fixes, and the Command Palette. */
export class ConflictCommands extends Disposable {
  constructor(
    private readonly commands: Commands,
    private readonly opener: DocumentOpener,
    private readonly numbers: ConflictNumbers,
    loadActions: () => Promise<ConflictActions>,
  ) {
    super();
    const { on } = this;
    this.register(
      commands.register(
        'fleetwright.document.compare',
        on(async (open) => (await loadActions()).resolver.compare(open)),
      ),
    );
    this.register(
      commands.register(
        'fleetwright.document.merge',
        on(async (open) => (await loadActions()).review.merge(open)),
      ),
    );
    this.register(
      commands.register(
        'fleetwright.document.overwrite',
        on(async (open) => {
          const { resolver, review } = await loadActions();
          await resolver.overwrite(open);
          await review.closeResolved(open.document);
        }),
      ),
    );
    this.register(
      commands.register(
        'fleetwright.document.reload',
        on(async (open) => {
          const { resolver, review } = await loadActions();
          await resolver.reload(open);
          await review.closeResolved(open.document);
        }),
      ),
    );
    this.register(commands.register('fleetwright.document.reviewSave', on(reviewSave)));
    this.register(
      commands.register(
        'fleetwright.document.saveCopy',
        on(async (open) => (await import('./saveCopy')).saveCopy(open)),
      ),
    );
    this.register(
      commands.register('fleetwright.document.resolve', async (argument) => {
        const open = await this.findDocument(argument);
        if (open) await this.choose(open.document.uri);
      }),
    );
    this.register(
      commands.register('fleetwright.document.acceptMerge', async (argument) => {
        const merge = findMerge(argument);
        if (merge) await (await loadActions()).review.accept(merge);
      }),
    );
    this.register(
      commands.register('fleetwright.document.discardMerge', async (argument) => {
        const merge = findMerge(argument);
        if (merge) await (await loadActions()).review.discard(merge);
      }),
    );
  }

  /** Creates the handler for a command that takes a document. */
  private readonly on =
    (handle: (open: OpenDocument) => Promise<void>) =>
    async (argument?: DocumentArgument): Promise<void> => {
      const open = await this.findDocument(argument);
      if (open) await handle(open);
    };

  private async choose(uri: vscode.Uri): Promise<void> {
    const { command } = await pickOne(conflictChoices(), {
      title: getFileName(uri),
      placeholder: vscode.l10n.t('Select how to resolve the conflict'),
    });
    await this.commands.execute(command, uri);
  }

  /** Finds the document that the argument specifies, or the active document. */
  private async findDocument(
    argument: DocumentArgument | undefined,
  ): Promise<OpenDocument | undefined> {
    const target =
      typeof argument === 'number' ? this.numbers.getDocument(argument) : uriIn(argument);
    const uri = target ?? vscode.window.activeTextEditor?.document.uri;
    return uri && this.opener.find(uri);
  }
}

/** Returns the merge review that the argument specifies, or the active one. */
function findMerge(argument: object | undefined): vscode.Uri | undefined {
  const target = uriIn(argument);
  if (target) return target;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

function uriIn(argument: object | undefined): vscode.Uri | undefined {
  return argument instanceof vscode.Uri ? argument : undefined;
}

/** Saves a document as the user would, so that the summary of the changes is shown. */
async function reviewSave({ document }: OpenDocument): Promise<void> {
  await vscode.window.showTextDocument(document, { preview: false });
  await document.save();
}

/**
 * Offers the recovery actions for a conflict as quick fixes for its entry in Problems, so that they
 * are available from the keyboard.
 */
export class ConflictQuickFixProvider implements vscode.CodeActionProvider {
  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const conflict = diagnostics.find(({ code }) => code === CONFLICT_PROBLEM);
    if (!conflict) return [];
    return conflictChoices().map(({ label, command }) => {
      const action = new vscode.CodeAction(label, vscode.CodeActionKind.QuickFix);
      action.diagnostics = [conflict];
      action.command = { title: label, command, arguments: [document.uri] };
      return action;
    });
  }
}

/** Returns the recovery actions for a conflict. */
function conflictChoices(): { label: string; detail: string; command: ConflictCommand }[] {
  return [
    {
      label: vscode.l10n.t('Compare with Remote Version'),
      detail: vscode.l10n.t('Compare the remote changes with your edits'),
      command: 'fleetwright.document.compare',
    },
    {
      label: vscode.l10n.t('Merge'),
      detail: vscode.l10n.t(
        'Combine both sets of changes and review the result before you save it',
      ),
      command: 'fleetwright.document.merge',
    },
    {
      label: vscode.l10n.t('Overwrite'),
      detail: vscode.l10n.t('Replace the remote version with yours'),
      command: 'fleetwright.document.overwrite',
    },
    {
      label: vscode.l10n.t('Reload'),
      detail: vscode.l10n.t(
        'Replace your edits with the remote version (use Undo to restore them)',
      ),
      command: 'fleetwright.document.reload',
    },
  ];
}

/** Commands that act on a document in conflict. */
export type ConflictCommand = Extract<
  CommandId,
  `fleetwright.document.${'compare' | 'merge' | 'overwrite' | 'reload'}`
>;

/**
 * Assigns numbers to documents for use in command links. A URI would make the message too long for
 * VS Code to display, and it would have to be escaped twice.
 */
export class ConflictNumbers {
  private readonly documents = new Map<number, vscode.Uri>();
  private readonly numbers = new Map<string, number>();

  getNumber(uri: vscode.Uri): number {
    const key = uri.toString();
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.numbers.size + 1;
    this.numbers.set(key, number);
    this.documents.set(number, uri);
    return number;
  }

  getDocument(number: number): vscode.Uri | undefined {
    return this.documents.get(number);
  }
}
