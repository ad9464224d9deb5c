import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { toDisplayText } from '../../../core/model/toDisplayText';
import type { CommandId } from '../../../manifest/commands';
import { notebooks } from '../../../manifest/notebooks';
import { escapeIcons } from '../../platform/toQuickPickText';
import { toQueryLanguage } from './cellLanguages';
import type { CellParameters } from './cellParameters';
import { readCellMetadata } from './metadata';

const MAX_VALUE_LENGTH = 30;

/**
 * Shows status bar items below a cell: its parameters, and a note if it queries only recent data.
 */
export class CellItems extends Disposable implements vscode.NotebookCellStatusBarItemProvider {
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChangeCellStatusBarItems = this.changed.event;

  constructor(private readonly parameters: CellParameters) {
    super();
    this.register(parameters.onDidChange(() => this.changed.fire()));
    this.register(vscode.notebooks.registerNotebookCellStatusBarItemProvider(notebooks.type, this));
  }

  async provideCellStatusBarItems(
    cell: vscode.NotebookCell,
  ): Promise<vscode.NotebookCellStatusBarItem[]> {
    const language = toQueryLanguage(cell.document.languageId);
    if (!language) return [];
    const { listParameters: getParameters } =
      await import('../../../core/query/language/parameters');
    const items = [];
    const names = getParameters(language, cell.document.getText());
    if (names.length > 0) items.push(this.parameterItem(cell, names));
    if (language === 'mql') items.push(recentItem(cell));
    return items;
  }

  private parameterItem(
    cell: vscode.NotebookCell,
    names: readonly string[],
  ): vscode.NotebookCellStatusBarItem {
    const values = this.parameters.valuesIn(cell.notebook);
    const shown = names.map((name) => {
      const value = values[name];
      return value === undefined
        ? `${name}: ?`
        : `${name}: ${toDisplayText(value, MAX_VALUE_LENGTH)}`;
    });
    const item = createStatusBarItem(
      `$(symbol-parameter) ${escapeIcons(shown.join(', '))}`,
      vscode.l10n.t('Change the values of the parameters'),
    );
    item.command = commandOn('fleetwright.notebook.changeParameters', cell);
    return item;
  }
}

function recentItem(cell: vscode.NotebookCell): vscode.NotebookCellStatusBarItem {
  const { recent } = readCellMetadata(cell.metadata);
  const item = createStatusBarItem(
    recent
      ? `$(check) ${vscode.l10n.t('Recent Data Only')}`
      : `$(history) ${vscode.l10n.t('All Data')}`,
    recent
      ? vscode.l10n.t('This query only includes recently stored data. Query all data instead.')
      : vscode.l10n.t('Query recent data only (faster)'),
  );
  item.command = commandOn('fleetwright.notebook.toggleRecent', cell);
  return item;
}

function createStatusBarItem(text: string, tooltip: string): vscode.NotebookCellStatusBarItem {
  const item = new vscode.NotebookCellStatusBarItem(
    text,
    vscode.NotebookCellStatusBarAlignment.Right,
  );
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: `${text.replace(/^\$\([\w-]+\) /, '')}. ${tooltip}` };
  return item;
}

function commandOn(command: CommandId, cell: vscode.NotebookCell): vscode.Command {
  return { command, title: '', arguments: [cell] };
}
