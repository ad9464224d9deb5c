import * as vscode from 'vscode';
import { addressKey, type DocumentAddress } from '../../core/documents/documentAddress';
import { findResourcePath } from '../../core/documents/resourcePath';
import { parseDocumentAddress, documentUri } from './documentUris';
import { pathNames } from './describeDocument';
import type { SessionProvider } from './sessionProvider';

/** Returns the open document with a given address, including its unsaved edits. */
export function findOpenDocument(address: DocumentAddress): vscode.TextDocument | undefined {
  const key = addressKey(address);
  return vscode.workspace.textDocuments.find(({ uri, isClosed }) => {
    const known = isClosed ? undefined : parseDocumentAddress(uri);
    return known !== undefined && addressKey(known) === key;
  });
}

/**
 * Returns the URI of a document. An open document retains its URI after a rename, because a
 * different URI would open a second editor for the same document.
 */
export async function resolveDocumentUri(
  sessions: SessionProvider,
  address: DocumentAddress,
): Promise<vscode.Uri> {
  const open = findOpenDocument(address);
  if (open) return open.uri;
  const path = await findResourcePath(sessions.stores(address.connectionId), address.subject);
  return documentUri(address, pathNames(path));
}
