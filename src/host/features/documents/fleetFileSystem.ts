import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { FleetError, toFleetError } from '../../../core/api/errors';
import { requireWritable } from '../../../core/api/readOnly';
import { type DocumentAddress, isFolderPath } from '../../../core/documents/documentAddress';
import { SaveCanceledError } from '../../../core/documents/configSource';
import type { ConnectionId } from '../../../core/model/ids';
import type { DocumentFile, ReviewSave } from '../../../core/documents/documentFile';
import type { DocumentFiles } from '../../../core/documents/documentFiles';
import { parseDocumentAddress } from '../../platform/documents/documentUris';
import { Emitter } from '../../../base/emitter';
import { canChangeDocument } from '../../../core/documents/documentResource';
import type { SessionProvider } from '../../platform/sessionProvider';

/** Marks the problem that has quick fixes for a conflict. */
export const CONFLICT_PROBLEM = 'changedRemotely';

/** Receives the outcome of saves, and returns the message that VS Code shows for a failed save. */
export interface SaveFailureReporter {
  report(uri: vscode.Uri, text: string, error: unknown): Promise<string>;
  clear(uri: vscode.Uri): void;
  warnAboutNormalizedSave(uri: vscode.Uri): void;
}

/**
 * Called at the start of each write of a document. Returns its review, which throws
 * `SaveCanceledError` to cancel the write.
 */
export type StartReview = (uri: vscode.Uri) => ReviewSave;

/** File system that provides configs and metadata as files that VS Code can open and save. */
export class FleetFileSystem extends Disposable implements vscode.FileSystemProvider {
  private readonly changed = this.register(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.changed.event;

  constructor(
    private readonly files: DocumentFiles,
    private readonly failures: SaveFailureReporter,
    private readonly access: DocumentAccess,
    private readonly startReview?: StartReview,
  ) {
    super();
    this.register(access.onDidChange((connection) => this.recheck(connection)));
    this.register(
      files.onDidChangeFile(({ uri, change }) => {
        const type =
          change === 'deleted' ? vscode.FileChangeType.Deleted : vscode.FileChangeType.Changed;
        this.changed.fire([{ type, uri: vscode.Uri.parse(uri) }]);
      }),
    );
  }

  /** Watches nothing, because the stores report changes to open documents. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (isFolderPath(uri)) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    const { mtime, size } = await this.reading(uri, (file) => file.stat());
    const stat = { type: vscode.FileType.File, ctime: 0, mtime, size };
    return (await this.isReadonly(uri))
      ? { ...stat, permissions: vscode.FilePermission.Readonly }
      : stat;
  }

  /**
   * Returns true if a file can't be edited. Files with unsaved edits remain writable, because a
   * save then either succeeds or is rejected with a reason. VS Code silently ignores saves of
   * read-only files.
   */
  private async isReadonly(uri: vscode.Uri): Promise<boolean> {
    const address = parseDocumentAddress(uri);
    if (!address || this.requireFile(uri).hasEdits) return false;
    return !(await this.access.canChange(address));
  }

  /** Makes VS Code recheck whether a connection's open documents can be edited. */
  private recheck(connection: ConnectionId): void {
    const open = vscode.workspace.textDocuments.filter(
      ({ uri, isClosed }) => !isClosed && parseDocumentAddress(uri)?.connectionId === connection,
    );
    const type = vscode.FileChangeType.Changed;
    this.changed.fire(open.map(({ uri }) => ({ type, uri })));
  }

  /**
   * Returns no entries. Folders exist only for the breadcrumbs. Users browse the fleet in the fleet
   * view.
   */
  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode(await this.reading(uri, (file) => file.read()));
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const review = this.startReview?.(uri);
    const file = this.requireFile(uri);
    const text = decode(content);
    try {
      const outcome = await file.write(text, async (edited, saved) => {
        // Without this check, the review would request confirmation of a save that then fails.
        this.access.requireWritable(uri);
        await review?.(edited, saved);
      });
      this.failures.clear(uri);
      if (outcome === 'savedDifferently') this.failures.warnAboutNormalizedSave(uri);
    } catch (error) {
      if (error instanceof SaveCanceledError) {
        const message = vscode.l10n.t('Nothing was saved. Your edits are still in the editor.');
        throw saveError(error, message);
      }
      throw saveError(error, await this.failures.report(uri, text, error));
    }
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions(onlyEditing());
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions(onlyEditing());
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions(onlyEditing());
  }

  private async reading<T>(uri: vscode.Uri, call: (file: DocumentFile) => Promise<T>): Promise<T> {
    try {
      return await call(this.requireFile(uri));
    } catch (error) {
      if (error instanceof vscode.FileSystemError) throw error;
      throw fileSystemError(error, escapeLinks(toFleetError(error).message));
    }
  }

  private requireFile(uri: vscode.Uri): DocumentFile {
    const address = parseDocumentAddress(uri);
    if (!address) throw vscode.FileSystemError.FileNotFound(uri);
    return this.files.file(uri.toString(), address);
  }
}

function decode(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    const message = vscode.l10n.t(
      'Documents must be UTF-8. Use Save with Encoding and select UTF-8.',
    );
    throw saveError(undefined, message);
  }
}

function onlyEditing(): string {
  return vscode.l10n.t('To create, rename, or delete resources, use the Fleet view.');
}

/**
 * Creates the error for a failed save. VS Code prefixes the message with its own text, the URI, and
 * the error name, so the error has no name in order to shorten the message. The message can contain
 * our command links, so text from the fleet must first be passed through `plainText`.
 */
function saveError(error: unknown, message: string): vscode.FileSystemError {
  const failure = fileSystemError(error, message);
  failure.name = '';
  return failure;
}

/**
 * Creates the error for a failed read. The error lets VS Code distinguish missing files from
 * unreachable files.
 */
function fileSystemError(error: unknown, message: string): vscode.FileSystemError {
  const kind = error instanceof FleetError ? error.kind : undefined;
  switch (kind) {
    case 'notFound':
      return vscode.FileSystemError.FileNotFound(message);
    case 'permission':
    case 'unauthenticated':
      return vscode.FileSystemError.NoPermissions(message);
    default:
      return vscode.FileSystemError.Unavailable(message);
  }
}

/**
 * Removes patterns that VS Code would turn into links: `[label](command:…)` in text from the fleet.
 */
export function escapeLinks(text: string): string {
  return text.replaceAll('[', '(').replaceAll(']', ')').replace(/\s+/g, ' ');
}

/** Formats a link for a VS Code message that runs one of our commands. */
export function commandLink(label: string, command: string, argument: number | string): string {
  return `[${escapeLinks(label)}](command:${command}?${encodeURIComponent(JSON.stringify([argument]))})`;
}

/** Determines which documents can be saved with this window's API keys. */
export class DocumentAccess extends Disposable {
  private readonly followed = new Set<ConnectionId>();
  private readonly changed = this.register(new Emitter<ConnectionId>());
  /** Fires when the roles of a connection's key change. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly sessions: SessionProvider) {
    super();
  }

  /**
   * Returns true if the key can save the document or if its permissions are unknown, and if the
   * connection isn't read-only. Never fails.
   */
  async canChange({ connectionId, subject }: DocumentAddress): Promise<boolean> {
    // Without its connection, the document can't be read either, and the read error is more
    // specific.
    if (!this.sessions.connection(connectionId)) return true;
    const stores = this.sessions.stores(connectionId);
    if (!this.followed.has(connectionId)) {
      this.followed.add(connectionId);
      this.register(stores.access.onDidChange(() => this.changed.fire(connectionId)));
    }
    return !stores.access.readOnlyConnection && canChangeDocument(stores, subject);
  }

  /** Throws `ReadOnlyConnectionError` if a document's connection is read-only. */
  requireWritable(uri: vscode.Uri): void {
    const address = parseDocumentAddress(uri);
    requireWritable(address && this.sessions.connection(address.connectionId), vscode.l10n);
  }
}
