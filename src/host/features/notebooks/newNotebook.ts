import * as vscode from 'vscode';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import { withOrganization } from '../../../core/query/notebook/notebookHeader';
import { notebooks } from '../../../manifest/notebooks';
import { toLanguageId, MARKDOWN } from './cellLanguages';
import { notebookMetadata } from './metadata';
import { headerOrganization } from './notebookOrganization';

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
