import { toQueryLanguage } from '../../platform/queryLanguage/toQueryLanguage';
import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { listParameters } from '../../../core/query/language/parameters';
import { notebooks } from '../../../manifest/contributions';
import { applyEdit } from '../../platform/documents/replaceText';
import type { FleetTools } from '../../platform/fleetTools';
import {
  cellMetadata,
  chooseOrganization,
  headerOrganization,
  MARKDOWN,
  notebookMetadata,
  readCellMetadata,
  resolveOrganization,
  toLanguageId,
} from './notebookMetadata';
import type { CellParameters } from './cellItems';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import { withOrganization } from '../../../core/query/notebook/notebookHeader';

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

/** Prompts again for the values of a cell's parameters. */
export async function changeParameters(
  argument: object | undefined,
  parameters: CellParameters,
  tools: Tools,
): Promise<void> {
  const cell = resolveCell(argument);
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

/** Enables or disables an MQL cell's restriction to recent data. */
export async function toggleRecent(argument: object | undefined): Promise<void> {
  const cell = resolveCell(argument);
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
function resolveCell(argument: object | undefined): vscode.NotebookCell {
  const selected = vscode.window.activeNotebookEditor?.selection.start ?? 0;
  const notebook = isCell(argument) ? argument.notebook : frontNotebook();
  const index = isCell(argument) ? argument.index : selected;
  const cell = notebook.getCells()[index];
  if (cell?.kind === vscode.NotebookCellKind.Code) return cell;
  throw new FleetError('invalid', vscode.l10n.t('Select a cell with a query first.'));
}

function isCell(argument: object | undefined): argument is vscode.NotebookCell {
  return (
    argument !== undefined &&
    'notebook' in argument &&
    'document' in argument &&
    'index' in argument
  );
}

/** Query that works in every fleet and demonstrates how to limit a query. */
const FIRST_QUERY = `SELECT component_name, count(*) AS readings, max(time_received) AS latest
FROM readings
WHERE time_received >= now() - INTERVAL 1 DAY
GROUP BY component_name
ORDER BY readings DESC
LIMIT 100`;

/**
 * Opens an unsaved notebook.
 * @param target organization to query; if absent, the first run prompts for it.
 */
export async function openNewNotebook(target: OrganizationTarget | undefined): Promise<void> {
  const { Markup, Code } = vscode.NotebookCellKind;
  const title = target
    ? vscode.l10n.t('# Readings of {0}', target.name)
    : vscode.l10n.t('# Readings');
  const data = new vscode.NotebookData([
    new vscode.NotebookCellData(Markup, title, MARKDOWN),
    new vscode.NotebookCellData(Code, FIRST_QUERY, toLanguageId('sql')),
  ]);
  const head = target ? withOrganization('', headerOrganization(target), '\n') : '';
  data.metadata = notebookMetadata({ head, tail: '\n' });
  const notebook = await vscode.workspace.openNotebookDocument(notebooks.type, data);
  await vscode.window.showNotebookDocument(notebook);
}
