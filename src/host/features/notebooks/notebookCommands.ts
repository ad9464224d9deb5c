import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { listParameters } from '../../../core/query/language/parameters';
import { notebooks } from '../../../manifest/notebooks';
import { applyEdit } from '../../platform/applyEdit';
import type { FleetTools } from '../../platform/fleetTools';
import { toQueryLanguage } from './cellLanguages';
import type { CellParameters } from './cellParameters';
import { cellMetadata, readCellMetadata } from './metadata';
import { chooseOrganization, resolveOrganization } from './notebookOrganization';

type Tools = Pick<FleetTools, 'sessions' | 'pickTarget'>;

/** Prompts for the organization that the active notebook queries. Throws `canceled`. */
export async function chooseOrganizationInFront(tools: Tools): Promise<void> {
  await chooseOrganization(frontNotebook(), tools);
}

/**
 * Returns the active notebook.
 * @throws FleetError `invalid` if there is none.
 */
function frontNotebook(): vscode.NotebookDocument {
  const notebook = vscode.window.activeNotebookEditor?.notebook;
  if (notebook?.notebookType === notebooks.type) return notebook;
  throw new FleetError('invalid', vscode.l10n.t('Open a notebook with queries first.'));
}

/** Prompts for the values of a cell's parameters again. */
export async function changeParameters(
  given: object | undefined,
  parameters: CellParameters,
  tools: Tools,
): Promise<void> {
  const cell = resolveCell(given);
  const language = toQueryLanguage(cell.document.languageId);
  const names = language ? listParameters(language, cell.document.getText()) : [];
  if (names.length === 0) {
    const message = vscode.l10n.t(
      'This cell has no parameters. Write a parameter as {0} in SQL, or as {1}.',
      ':part_id',
      '{{part_id}}',
    );
    throw new FleetError('invalid', message);
  }
  await parameters.change(cell.notebook, names, await resolveOrganization(cell.notebook, tools));
}

/** Enables or disables the restriction of an MQL cell to recent data. */
export async function toggleRecent(given: object | undefined): Promise<void> {
  const cell = resolveCell(given);
  if (toQueryLanguage(cell.document.languageId) !== 'mql') {
    const message = vscode.l10n.t(
      'To query only recent data, use MQL. In SQL, add a condition on time_received.',
    );
    throw new FleetError('invalid', message);
  }
  const { source, recent } = readCellMetadata(cell.metadata);
  const metadata = cellMetadata({ source, recent: !recent });
  const edit = new vscode.WorkspaceEdit();
  edit.set(cell.notebook.uri, [vscode.NotebookEdit.updateCellMetadata(cell.index, metadata)]);
  await applyEdit(edit, cell.notebook.uri);
}

/**
 * Returns the clicked or selected cell.
 * @throws FleetError `invalid` if there is none.
 */
function resolveCell(given: object | undefined): vscode.NotebookCell {
  const selected = vscode.window.activeNotebookEditor?.selection.start ?? 0;
  const notebook = isCell(given) ? given.notebook : frontNotebook();
  const index = isCell(given) ? given.index : selected;
  const cell = notebook.getCells()[index];
  if (cell?.kind === vscode.NotebookCellKind.Code) return cell;
  throw new FleetError('invalid', vscode.l10n.t('Select a cell with a query first.'));
}

function isCell(given: object | undefined): given is vscode.NotebookCell {
  return given !== undefined && 'notebook' in given && 'document' in given && 'index' in given;
}
