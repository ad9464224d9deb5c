import * as vscode from 'vscode';
import { FleetError, toFleetError } from '../../../../core/api/errors';
import {
  type ContentDocument,
  formatContentDocument,
  parseContentDocument,
} from '../../../../core/data/contents/contentDocument';
import { requireShowable, wholeContent } from '../../../../core/api/contentStream';
import type { BinaryItem } from '../../../../core/model/binaryItem';
import { toMilliseconds } from '../../../../core/model/timestamp';
import type { ConnectionId } from '../../../../core/model/ids';
import type { BinaryDataStore } from '../../../../core/stores/binaryDataStore';
import { schemes } from '../../../../manifest/contributions';
import { ReadOnlyFiles } from '../../../platform/documents/readOnlyFiles';
import type { SessionProvider } from '../../../platform/sessionProvider';
import { itemName } from './itemViews';

/** Returns the URI of the document with an item's content. It stays valid after a window reload. */
export function contentUri(connectionId: ConnectionId, item: BinaryItem): vscode.Uri {
  const parts = formatContentDocument(
    { connectionId, id: item.id },
    itemName(item),
    item.fileExtension,
  );
  return vscode.Uri.from({ scheme: schemes.data, ...parts });
}

/**
 * File system for captured contents, used by VS Code's own viewers and editors. It is read-only
 * because captured data never changes, and has no folders because users browse items in the data
 * panel.
 */
export class ContentFileSystem extends ReadOnlyFiles {
  constructor(private readonly sessions: SessionProvider) {
    super();
    this.register(
      vscode.workspace.registerFileSystemProvider(schemes.data, this, {
        isReadonly: true,
        isCaseSensitive: true,
      }),
    );
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return this.reading(uri, async (document, store) => {
      const { at, sizeBytes } = await requireItem(document, store);
      const captured = toMilliseconds(at);
      const permissions = vscode.FilePermission.Readonly;
      return {
        type: vscode.FileType.File,
        ctime: captured,
        mtime: captured,
        size: sizeBytes,
        permissions,
      };
    });
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return this.reading(uri, async (document, store) => {
      const item = await requireItem(document, store);
      requireShowable(item.sizeBytes, vscode.l10n);
      return wholeContent(await store.content(item), undefined, vscode.l10n);
    });
  }

  protected getReadOnlyMessage(): string {
    return vscode.l10n.t('Captured data is read-only.');
  }

  private async reading<T>(
    uri: vscode.Uri,
    read: (document: ContentDocument, store: BinaryDataStore) => Promise<T>,
  ): Promise<T> {
    const document = parseContentDocument(uri);
    if (!document) throw vscode.FileSystemError.FileNotFound(uri);
    try {
      return await read(document, this.sessions.stores(document.connectionId).binaryData);
    } catch (error) {
      throw fileError(toFleetError(error));
    }
  }
}

async function requireItem({ id }: ContentDocument, store: BinaryDataStore): Promise<BinaryItem> {
  const [item] = await store.get([id]);
  if (!item) throw new FleetError('notFound', vscode.l10n.t('The item no longer exists.'));
  return item;
}

function fileError({ kind, message }: FleetError): vscode.FileSystemError {
  // VS Code would convert brackets to links.
  const text = message.replaceAll('[', '(').replaceAll(']', ')');
  if (kind === 'notFound') return vscode.FileSystemError.FileNotFound(text);
  const isDenied = kind === 'permission' || kind === 'unauthenticated';
  return isDenied
    ? vscode.FileSystemError.NoPermissions(text)
    : vscode.FileSystemError.Unavailable(text);
}
