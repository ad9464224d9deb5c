import * as vscode from 'vscode';
import { FleetError, toFleetError } from '../../../core/api/errors';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import type { DocumentFile } from '../../../core/documents/documentFile';
import type { DocumentFiles } from '../../../core/documents/documentFiles';
import { findResourcePath, type ResourcePath } from '../../../core/documents/documentResource';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { OpenDocument } from './conflictResolver';
import { parseDocumentAddress, resolveDocumentUri } from '../../platform/documents/documentUris';
import { formatBreadcrumb } from '../../platform/documents/describeDocument';

/** Opens documents, and finds documents that are open. */
export class DocumentOpener {
  constructor(
    private readonly sessions: SessionProvider,
    private readonly files: DocumentFiles,
  ) {}

  /** Shows a document in an editor, or activates its editor if the document is already open. */
  async show(address: DocumentAddress): Promise<OpenDocument> {
    const uri = await this.getUri(address);
    const file = this.getFile(uri, address);
    const document = await this.read(uri, file, address);
    await vscode.window.showTextDocument(document, { preview: false });
    return { document, address, file };
  }

  /**
   * @throws FleetError for errors that VS Code would otherwise show with the URI and an error class
   *   name.
   */
  private async read(
    uri: vscode.Uri,
    file: DocumentFile,
    address: DocumentAddress,
  ): Promise<vscode.TextDocument> {
    try {
      return await vscode.workspace.openTextDocument(uri);
    } catch (error) {
      const reason = await file.stat().then(() => error, toFleetError);
      if (!(reason instanceof FleetError)) throw error;
      const { kind, message, action } = reason;
      const path = formatBreadcrumb(await this.findPath(address));
      throw new FleetError(kind, `${path}: ${message}`, { cause: reason, action });
    }
  }

  getUri(address: DocumentAddress): Promise<vscode.Uri> {
    return resolveDocumentUri(this.sessions, address);
  }

  private findPath({ connectionId, subject }: DocumentAddress): Promise<ResourcePath> {
    return findResourcePath(this.sessions.stores(connectionId), subject);
  }

  /**
   * Returns the document with one of our URIs, opening it in the background if necessary; undefined
   * for other URIs.
   */
  async find(uri: vscode.Uri): Promise<OpenDocument | undefined> {
    const address = parseDocumentAddress(uri);
    if (!address) return undefined;
    const document = await vscode.workspace.openTextDocument(uri);
    return { document, address, file: this.getFile(uri, address) };
  }

  private getFile(uri: vscode.Uri, address: DocumentAddress): DocumentFile {
    return this.files.file(uri.toString(), address);
  }
}
