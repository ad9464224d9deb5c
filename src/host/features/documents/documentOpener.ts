import * as vscode from 'vscode';
import { FleetError, toFleetError } from '../../../core/api/errors';
import { addressKey, type DocumentAddress } from '../../../core/documents/documentAddress';
import type { DocumentFile } from '../../../core/documents/documentFile';
import type { DocumentFiles } from '../../../core/documents/documentFiles';
import { findResourcePlace, type ResourcePlace } from '../../../core/documents/resourcePlace';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { OpenDocument } from './conflictResolver';
import { addressOf, documentUri } from '../../platform/documentUris';
import { breadcrumbText, pathNames } from '../../platform/placeText';

/** Opens documents, and finds those that are open. */
export class DocumentOpener {
  constructor(
    private readonly sessions: SessionProvider,
    private readonly files: DocumentFiles,
  ) {}

  /** Shows a document in an editor; one that is open already comes to the front. */
  async show(address: DocumentAddress): Promise<OpenDocument> {
    const uri = await this.uriOf(address);
    const file = this.fileOf(uri, address);
    const document = await this.read(uri, file, address);
    await vscode.window.showTextDocument(document, { preview: false });
    return { document, address, file };
  }

  /** @throws FleetError where VS Code would show a person its URI and the name of an error class. */
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
      const place = breadcrumbText(await this.placeOf(address));
      throw new FleetError(kind, `${place}: ${message}`, { cause: reason, action });
    }
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
    return documentUri(address, pathNames(await this.placeOf(address)));
  }

  private placeOf({ connectionId, subject }: DocumentAddress): Promise<ResourcePlace> {
    return findResourcePlace(this.sessions.stores(connectionId), subject);
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
