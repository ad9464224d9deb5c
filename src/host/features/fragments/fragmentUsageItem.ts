import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { parseDocumentAddress } from '../../platform/documentUris';
import type { FleetTools } from '../../platform/fleetTools';

/** Places the item to the right of the document's name and to the left of the line and column. */
const PRIORITY = 109;

/**
 * Shows the number of parts that a save affects while a fragment's config is active. The user sees
 * the number before saving, without a prompt. A click lists the machines.
 */
export class FragmentUsageItem extends Disposable {
  private readonly item = this.register(
    vscode.window.createStatusBarItem(
      'fleetwright.fragmentUsage',
      vscode.StatusBarAlignment.Right,
      PRIORITY,
    ),
  );
  private shownFor: string | undefined;

  constructor(private readonly tools: Pick<FleetTools, 'sessions'>) {
    super();
    this.item.name = vscode.l10n.t('Fleetwright Fragment Usage');
    this.item.command = 'fleetwright.fragment.showMachines';
    const { window, workspace } = vscode;
    this.register(window.onDidChangeActiveTextEditor(() => void this.update({ fresh: true })));
    this.register(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document === window.activeTextEditor?.document) void this.update();
      }),
    );
    this.register(workspace.onDidSaveTextDocument(() => void this.update()));
    void this.update({ fresh: true });
  }

  /**
   * @param fresh true to request the number from the service, because saving the configs of parts
   *   changes which parts use the fragment.
   */
  private async update({ fresh = false } = {}): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const address = document && parseDocumentAddress(document.uri);
    if (address?.subject.type !== 'fragmentConfig') {
      this.shownFor = undefined;
      this.item.hide();
      return;
    }
    const key = document?.uri.toString();
    if (this.shownFor !== key) this.item.hide();
    this.shownFor = key;
    try {
      const { connectionId, subject } = address;
      const { fragments } = this.tools.sessions.stores(connectionId);
      const { partCount } = await fragments.get(subject.id, { fresh });
      if (this.shownFor !== key || this.isDisposed) return;
      this.show(partCount, document?.isDirty ?? false);
    } catch {
      // The document itself reports connection problems.
      this.item.hide();
    }
  }

  private show(count: number, dirty: boolean): void {
    const used =
      count === 1 ? vscode.l10n.t('used by 1 part') : vscode.l10n.t('used by {0} parts', count);
    const reached =
      count === 1
        ? vscode.l10n.t('saving affects 1 part')
        : vscode.l10n.t('saving affects {0} parts', count);
    const warns = dirty && count > 0;
    this.item.text = `$(layers) ${warns ? reached : used}`;
    this.item.tooltip = vscode.l10n.t('Find Machines Using Fragment');
    this.item.backgroundColor = warns
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.item.show();
  }
}
