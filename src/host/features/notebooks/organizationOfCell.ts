import * as vscode from 'vscode';
import type { QueriedOrganization } from '../../../core/query/schema/querySchemas';
import type { SessionProvider } from '../../platform/sessionProvider';
import { findOrganization, namedOrganization } from './notebookOrganization';

/** Who writes does not wait longer for a connection that does not answer, in milliseconds. */
const WAIT_MS = 2_000;

/**
 * Whose readings the notebook of a cell asks, for suggestions: the organization that it names, on the connection
 * that running it would ask. Nobody is asked, and undefined is answered where it names none that is known.
 */
export async function organizationOfCell(
  cell: vscode.TextDocument,
  sessions: SessionProvider,
): Promise<QueriedOrganization | undefined> {
  const notebook = vscode.workspace.notebookDocuments.find((one) =>
    one.getCells().some(({ document }) => document === cell),
  );
  const named = notebook && namedOrganization(notebook);
  if (!named) return undefined;
  try {
    return await findOrganization(named, { sessions }, AbortSignal.timeout(WAIT_MS));
  } catch {
    // Running the cell says why.
    return undefined;
  }
}
