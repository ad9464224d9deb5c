import * as vscode from 'vscode';
import { organizationId } from '../../../core/model/ids';
import type { QueriedOrganization } from '../../../core/query/schema/querySchemas';
import type { SessionProvider } from '../../platform/sessionProvider';
import { namedOrganization } from './notebookOrganization';

/**
 * Whose readings the notebook of a cell asks, for suggestions: the organization that it names, on the active
 * connection. Nobody is asked, and undefined is answered where it names none.
 */
export function organizationOfCell(
  cell: vscode.TextDocument,
  { active }: Pick<SessionProvider, 'active'>,
): QueriedOrganization | undefined {
  const notebook = vscode.workspace.notebookDocuments.find((one) =>
    one.getCells().some(({ document }) => document === cell),
  );
  const named = notebook && namedOrganization(notebook);
  return active && named && { connectionId: active.id, organizationId: organizationId(named.id) };
}
