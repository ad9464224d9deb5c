import * as vscode from 'vscode';
import { Disposable } from '../../../../base/disposable';
import type { PlannedChange } from '../../../../core/bulk/changePlan';
import { presentJson } from '../../../../core/documents/jsonText';
import { safeFolder, safeSegment } from '../../../../core/documents/documentAddress';
import { setContextKey } from '../../../platform/commands/contextKeys';
import type { BulkDocuments } from '../../../platform/documents/bulkDocuments';

interface Pending {
  readonly title: string;
  /** True if the changes add problems, which the user can view. */
  readonly hasProblems: boolean;
  readonly decide: (apply: boolean) => void;
  /** True if the user dismissed the message with the question. */
  messageGone: boolean;
}

/**
 * Shows all differences from a bulk change in one editor, and marks the problems that the change
 * adds, so that the Problems view lists them by machine. Waits for the user's decision, which can
 * be made in a message or above the editor. Closing both the editor and the message declines the
 * changes.
 */
export class ChangePreviews extends Disposable {
  private pending: Pending | undefined;
  private readonly collection = this.register(
    vscode.languages.createDiagnosticCollection('fleetwright-bulk'),
  );

  constructor(private readonly documents: BulkDocuments) {
    super();
    const { tabGroups } = vscode.window;
    this.register(
      tabGroups.onDidChangeTabs(() => {
        this.update();
        this.declineIfDismissed();
      }),
    );
    this.register(tabGroups.onDidChangeTabGroups(() => this.update()));
    this.update();
  }

  /**
   * Resolves to true if the user confirms the changes. A new preview replaces a pending preview.
   * @param problems problems to mark in the configs after the change
   */
  async confirmChanges(
    changes: readonly PlannedChange[],
    question: string,
    applyLabel: string,
    problems: ReadonlyMap<PlannedChange, vscode.Diagnostic[]>,
  ): Promise<boolean> {
    this.decide(false);
    const uris = changes.map((change) => this.addTexts(change));
    const marked = changes.flatMap((change, index): [vscode.Uri, vscode.Diagnostic[]][] => {
      const [uri] = uris[index] ?? [];
      const added = problems.get(change);
      return uri && added ? [[uri, added]] : [];
    });
    const title = vscode.l10n.t('Preview: {0}', applyLabel);
    try {
      this.collection.set(marked);
      await vscode.commands.executeCommand('vscode.changes', title, uris);
      // Without this call, the next document in preview mode would replace the editor.
      await vscode.commands.executeCommand('workbench.action.keepEditor');
      return await new Promise<boolean>((resolve) => {
        const hasProblems = problems.size > 0;
        const pending: Pending = { title, hasProblems, decide: resolve, messageGone: false };
        this.pending = pending;
        this.update();
        void this.confirmInMessage(pending, question, applyLabel);
      });
    } finally {
      this.pending = undefined;
      for (const [uri] of marked) this.collection.delete(uri);
      // If the user decides with the buttons above the editor, the message is still open.
      await vscode.commands.executeCommand('notifications.hideToasts');
      await vscode.window.tabGroups.close(findPreviewTabs(title));
      for (const uri of uris.flat()) this.documents.remove(uri);
      this.update();
    }
  }

  /** Accepts or declines the pending preview. Does nothing if there is none. */
  decide(apply: boolean): void {
    this.pending?.decide(apply);
  }

  private async confirmInMessage(pending: Pending, question: string, apply: string): Promise<void> {
    const cancel = vscode.l10n.t('Cancel');
    const view = vscode.l10n.t('View Problems');
    let chosen: string | undefined;
    do {
      chosen = pending.hasProblems
        ? await vscode.window.showWarningMessage(question, apply, view, cancel)
        : await vscode.window.showInformationMessage(question, apply, cancel);
      if (chosen === view) await vscode.commands.executeCommand('workbench.actions.view.problems');
    } while (chosen === view && pending === this.pending);
    if (pending !== this.pending) {
      if (chosen === apply) {
        void vscode.window.showInformationMessage(
          vscode.l10n.t(
            'This preview has expired. Run "Apply Fragment or Patch to Machines…" again.',
          ),
        );
      }
      return;
    }
    if (chosen !== undefined) pending.decide(chosen === apply);
    pending.messageGone = true;
    this.declineIfDismissed();
  }

  /**
   * Declines the changes if both the editor and the message are closed, because the user can then
   * no longer decide.
   */
  private declineIfDismissed(): void {
    const { pending } = this;
    if (pending?.messageGone && findPreviewTabs(pending.title).length === 0) pending.decide(false);
  }

  private addTexts({ part, before, after }: PlannedChange): [vscode.Uri, vscode.Uri, vscode.Uri] {
    // Both sides must have the same path, because VS Code would show a difference in paths as a
    // renamed file.
    const name = [...part.path.map(safeFolder), `${safeSegment(part.target.name)}.json`].join('/');
    const old = this.documents.add(presentJson(before), name);
    const changed = this.documents.add(presentJson(after), name);
    return [changed, old, changed];
  }

  private update(): void {
    const { pending } = this;
    const active = vscode.window.tabGroups.activeTabGroup.activeTab;
    setContextKey('fleetwright.bulk.preview', pending !== undefined);
    setContextKey(
      'fleetwright.bulk.previewInFront',
      pending !== undefined && active !== undefined && isPreviewTab(active, pending.title),
    );
  }
}

function findPreviewTabs(title: string): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter((tab) => isPreviewTab(tab, title));
}

/**
 * Returns true if a tab shows the preview. Extensions can read only the label of a multi-diff
 * editor, which ends with a count.
 */
function isPreviewTab({ label, input }: vscode.Tab, title: string): boolean {
  return !(input instanceof vscode.TabInputText) && label.startsWith(title);
}
