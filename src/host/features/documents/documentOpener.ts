import * as vscode from 'vscode';
import { addressKey, type DocumentAddress } from '../../../core/documents/documentAddress';
import type { DocumentFile } from '../../../core/documents/documentFile';
import type { DocumentFiles } from '../../../core/documents/documentFiles';
import { findResourcePlace } from '../../../core/documents/resourcePlace';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { OpenDocument } from './conflictResolver';
import { addressOf, documentUri } from '../../platform/documentUris';
import { pathNames } from '../../platform/placeText';

/** Opens documents, and finds those that are open. */
export class DocumentOpener {
  constructor(
    private readonly sessions: SessionProvider,
    private readonly files: DocumentFiles,
  ) {}

  /** Shows a document in an editor; one that is open already comes to the front. */
  async show(address: DocumentAddress): Promise<OpenDocument> {
    const uri = await this.uriOf(address);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
    return { document, address, file: this.fileOf(uri, address) };
  }

  /**
   * The URI of a document. An open one keeps its URI after a rename: a second URI would make a second
   * editor of the same document.
   */
  async uriOf(address: DocumentAddress): Promise<vscode.Uri> {
    const key = addressKey(address);
    const open = vscode.workspace.textDocuments.find(({ uri, isClosed }) => {
      const known = isClosed ? undefined : addressOf(uri);
      return known !== undefined && addressKey(known) === key;
    });
    if (open) return open.uri;
    const stores = this.sessions.stores(address.connectionId);
    return documentUri(address, pathNames(await findResourcePlace(stores, address.subject)));
  }

  /** The document at a URI of ours, opened in the background if need be; undefined for other URIs. */
  async find(uri: vscode.Uri): Promise<OpenDocument | undefined> {
    const address = addressOf(uri);
    if (!address) return undefined;
    const document = await vscode.workspace.openTextDocument(uri);
    return { document, address, file: this.fileOf(uri, address) };
  }

  private fileOf(uri: vscode.Uri, address: DocumentAddress): DocumentFile {
    return this.files.file(uri.toString(), address);
  }
}
