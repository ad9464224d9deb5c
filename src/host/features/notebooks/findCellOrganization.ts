import * as vscode from 'vscode';
import type { QueriedOrganization } from '../../../core/query/schema/querySchemas';
import type { SessionProvider } from '../../platform/sessionProvider';
import { findOrganization, namedOrganization } from './notebookOrganization';

/** Maximum time in milliseconds that suggestions wait for an unresponsive connection. */
const WAIT_MS = 2_000;

/**
 * Returns the organization that a cell's notebook queries, for suggestions. Uses the organization
 * in the notebook's header and the connection that a run would use. Never prompts; returns
 * undefined if the header contains no known organization.
 */
export async function findCellOrganization(
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
    // Running the cell reports the reason.
    return undefined;
  }
}
