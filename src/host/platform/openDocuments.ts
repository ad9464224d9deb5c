import * as vscode from 'vscode';
import { addressKey, type DocumentAddress } from '../../core/documents/documentAddress';
import { findResourcePlace } from '../../core/documents/resourcePlace';
import { addressOf, documentUri } from './documentUris';
import { pathNames } from './placeText';
import type { SessionProvider } from './sessionProvider';

/** The document of an address as long as it is open, with edits that are not saved. */
export function openDocumentOf(address: DocumentAddress): vscode.TextDocument | undefined {
  const key = addressKey(address);
  return vscode.workspace.textDocuments.find(({ uri, isClosed }) => {
    const known = isClosed ? undefined : addressOf(uri);
    return known !== undefined && addressKey(known) === key;
  });
}

/**
 * The URI of a document. An open one keeps its URI after a rename: a second URI would make a second
 * editor of the same document.
 */
export async function uriOfDocument(
  sessions: SessionProvider,
  address: DocumentAddress,
): Promise<vscode.Uri> {
  const open = openDocumentOf(address);
  if (open) return open.uri;
  const place = await findResourcePlace(sessions.stores(address.connectionId), address.subject);
  return documentUri(address, pathNames(place));
}
