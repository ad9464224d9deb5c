import { toQueryLanguage } from '../../platform/queryLanguage/toQueryLanguage';
import * as vscode from 'vscode';
import { getOwn } from '../../../base/getOwn';
import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { toDisplayText } from '../../../core/model/displayText';
import type { CommandId } from '../../../manifest/commands';
import { notebooks } from '../../../manifest/contributions';
import { escapeIcons } from '../../platform/text/displayText';
import { readCellMetadata } from './notebookMetadata';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';

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
      const value = getOwn(values, name);
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

type Values = Readonly<Record<string, string>>;

/** Prompts the user for parameter values. The user can change known values. Throws `canceled`. */
export type PromptForParameters = (
  of: OrganizationTarget,
  names: readonly string[],
  known: Values,
) => Promise<Values>;

/**
 * Parameter values for a notebook's queries, by name. The user enters each value once, and closing
 * the notebook clears the values. They are never written to the notebook file, which other people
 * can read.
 */
export class CellParameters extends Disposable {
  private readonly known = new WeakMap<vscode.NotebookDocument, Values>();
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly prompt: PromptForParameters) {
    super();
  }

  valuesIn(notebook: vscode.NotebookDocument): Values {
    return this.known.get(notebook) ?? {};
  }

  /**
   * Returns the values of the given parameters. Prompts for values that aren't known yet. Throws
   * `canceled`.
   */
  async resolveValues(
    notebook: vscode.NotebookDocument,
    names: readonly string[],
    target: OrganizationTarget,
  ): Promise<Values> {
    const missing = names.filter((name) => !Object.hasOwn(this.valuesIn(notebook), name));
    if (missing.length > 0) await this.change(notebook, missing, target);
    return this.valuesIn(notebook);
  }

  /** Prompts for all values, including known ones. Throws `canceled`. */
  async change(
    notebook: vscode.NotebookDocument,
    names: readonly string[],
    target: OrganizationTarget,
  ): Promise<void> {
    const answers = await this.prompt(target, names, this.valuesIn(notebook));
    this.known.set(notebook, { ...this.valuesIn(notebook), ...answers });
    this.changed.fire();
  }
}
