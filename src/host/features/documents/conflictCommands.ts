import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { DocumentArgument } from '../../../manifest/commands';
import type { Commands } from '../../platform/commandRegistry';
import { pickOne } from '../../platform/prompts';
import type { ConflictNumbers } from './conflictNumbers';
import { conflictChoices } from './conflictQuickFixes';
import type { ConflictResolver, OpenDocument } from './conflictResolver';
import type { DocumentOpener } from './documentOpener';
import { getFileName } from '../../platform/documentUris';
import type { MergeReview } from './mergeReview';

/** Registers the conflict commands for menus, messages, quick fixes, and the Command Palette. */
export class ConflictCommands extends Disposable {
  constructor(
    private readonly commands: Commands,
    private readonly opener: DocumentOpener,
    private readonly numbers: ConflictNumbers,
    resolver: ConflictResolver,
    review: MergeReview,
  ) {
    super();
    const { on } = this;
    this.register(
      commands.register(
        'fleetwright.document.compare',
        on((open) => resolver.compare(open)),
      ),
    );
    this.register(
      commands.register(
        'fleetwright.document.merge',
        on((open) => review.merge(open)),
      ),
    );
    this.register(
      commands.register(
        'fleetwright.document.overwrite',
        on(async (open) => {
          await resolver.overwrite(open);
          await review.closeResolved(open.document);
        }),
      ),
    );
    this.register(
      commands.register(
        'fleetwright.document.reload',
        on(async (open) => {
          await resolver.reload(open);
          await review.closeResolved(open.document);
        }),
      ),
    );
    this.register(commands.register('fleetwright.document.saveCopy', on(saveCopy)));
    this.register(
      commands.register('fleetwright.document.resolve', async (argument) => {
        const open = await this.findDocument(argument);
        if (open) await this.choose(open.document.uri);
      }),
    );
    this.register(
      commands.register('fleetwright.document.acceptMerge', async (argument) => {
        const merge = findMerge(argument);
        if (merge) await review.accept(merge);
      }),
    );
    this.register(
      commands.register('fleetwright.document.discardMerge', async (argument) => {
        const merge = findMerge(argument);
        if (merge) await review.discard(merge);
      }),
    );
  }

  /** Creates the handler of a command that takes a document. */
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

/**
 * Writes the text of a document to a file that the user selects. VS Code's own Save As would
 * suggest a folder of the fleet, where files can't be created.
 */
async function saveCopy({ document, file }: OpenDocument): Promise<void> {
  const name = getFileName(document.uri);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save a Copy of {0}', name),
    filters: { JSON: ['json'] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (!target) return;
  const text = document.getText();
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  // Excludes text that was typed while the file was being written.
  if (file.isDeleted && document.getText() === text) {
    // The edits are in the file now, and the editor can't save them anywhere else.
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.window.showTextDocument(target, { preview: false });
}
