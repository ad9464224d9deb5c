import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { toDisplayText } from '../../../core/model/toDisplayText';
import type { CommandId } from '../../../manifest/commands';
import { notebooks } from '../../../manifest/notebooks';
import { escapeIcons } from '../../platform/toQuickPickText';
import { namedOrganization } from './notebookOrganization';

const PRIORITY = 49;
const MAX_LABEL_LENGTH = 40;

/**
 * Shows the organization that the active notebook queries in the status bar. A click prompts for
 * another organization.
 */
export class OrganizationItem extends Disposable {
  private readonly item = this.register(
    vscode.window.createStatusBarItem(
      'fleetwright.notebookOrganization',
      vscode.StatusBarAlignment.Left,
      PRIORITY,
    ),
  );

  constructor() {
    super();
    this.item.name = vscode.l10n.t('Organization of the Notebook');
    this.item.command = 'fleetwright.notebook.chooseOrganization' satisfies CommandId;
    this.register(vscode.window.onDidChangeActiveNotebookEditor(() => this.update()));
    this.register(
      vscode.workspace.onDidChangeNotebookDocument(({ notebook, metadata }) => {
        if (metadata && notebook === vscode.window.activeNotebookEditor?.notebook) this.update();
      }),
    );
    this.update();
  }

  private update(): void {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    if (notebook?.notebookType !== notebooks.type) {
      this.item.hide();
      return;
    }
    const named = namedOrganization(notebook);
    const name = named && (named.name || named.id);
    const shown = name ?? vscode.l10n.t('Select Organization');
    this.item.text = `$(organization) ${escapeIcons(toDisplayText(shown, MAX_LABEL_LENGTH))}`;
    this.item.tooltip = name
      ? vscode.l10n.t('This notebook queries {0}. Select another organization.', name)
      : vscode.l10n.t('Select the organization to query.');
    this.item.accessibilityInformation = { label: `${shown}, ${this.item.tooltip}` };
    this.item.show();
  }
}
