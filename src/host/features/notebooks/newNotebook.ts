import * as vscode from 'vscode';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import { withOrganization } from '../../../core/query/notebook/notebookHeader';
import { notebooks } from '../../../manifest/notebooks';
import { languageIdOf, MARKDOWN } from './cellLanguages';
import { notebookMetadata } from './metadata';
import { headerOrganization } from './notebookOrganization';

/** A query that says something of any fleet, and shows how a query is bounded. */
const FIRST_QUERY = `SELECT component_name, count(*) AS readings, max(time_received) AS latest
FROM readings
WHERE time_received >= now() - INTERVAL 1 DAY
GROUP BY component_name
ORDER BY readings DESC
LIMIT 100`;

/** Opens a notebook that is in no file yet. @param target absent where the first run is to ask. */
export async function openNewNotebook(target: OrganizationTarget | undefined): Promise<void> {
  const { Markup, Code } = vscode.NotebookCellKind;
  const title = target
    ? vscode.l10n.t('# Readings of {0}', target.name)
    : vscode.l10n.t('# Readings');
  const data = new vscode.NotebookData([
    new vscode.NotebookCellData(Markup, title, MARKDOWN),
    new vscode.NotebookCellData(Code, FIRST_QUERY, languageIdOf('sql')),
  ]);
  const head = target ? withOrganization('', headerOrganization(target), '\n') : '';
  data.metadata = notebookMetadata({ head, tail: '\n' });
  const notebook = await vscode.workspace.openNotebookDocument(notebooks.type, data);
  await vscode.window.showNotebookDocument(notebook);
}
