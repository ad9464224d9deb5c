import * as vscode from 'vscode';
import { toFleetError } from '../../../core/api/errors';
import {
  addressKey,
  type DocumentAddress,
  isFolderPath,
} from '../../../core/documents/documentAddress';
import {
  isPartAddress,
  parseDocumentAddress,
  parseResolvedAddress,
  type PartAddress,
} from '../../platform/documents/documentUris';
import { ReadOnlyFiles } from '../../platform/documents/readOnlyFiles';
import type { SessionProvider } from '../../platform/sessionProvider';
import { type ResolvedPart, resolvePart } from '../../platform/documents/resolvePart';
import { Disposable } from '../../../base/disposable';
import type { ConnectionId } from '../../../core/model/ids';

/** Debounce delay in milliseconds before an edit updates the preview. */
const SETTLE_MILLISECONDS = 300;

interface Preview {
  readonly uri: vscode.Uri;
  readonly address: PartAddress;
  shown: ResolvedPart | undefined;
  mtime: number;
  /**
   * Number of reads so far; used to discard responses that arrive after the response to a later
   * read.
   */
  reads: number;
  /** True if stored data has changed since the last read. */
  stale: boolean;
  timer?: NodeJS.Timeout | undefined;
}

/**
 * Resolved configs of parts as read-only files, which VS Code reopens after a window reload. The
 * files reflect the config, its unsaved edits, and its fragments.
 */
export class ResolvedFileSystem extends ReadOnlyFiles {
  private readonly previews = new Map<string, Preview>();
  private readonly resolved = this.register(new vscode.EventEmitter<vscode.Uri>());
  /** Fires when a preview was created or updated. */
  readonly onDidResolve = this.resolved.event;
  private readonly follower: StoreSubscriber;

  constructor(private readonly sessions: SessionProvider) {
    super();
    this.follower = this.register(
      new StoreSubscriber(sessions, (of) => this.refreshWhere(of, true)),
    );
    const { workspace } = vscode;
    const edited = ({ uri }: vscode.TextDocument): void =>
      this.refreshDocument(parseDocumentAddress(uri));
    this.register(workspace.onDidChangeTextDocument(({ document }) => edited(document)));
    this.register(workspace.onDidOpenTextDocument(edited));
    this.register(
      workspace.onDidCloseTextDocument((document) => {
        edited(document);
        this.removePreview(document.uri);
      }),
    );
    this.register({ dispose: () => this.previews.forEach(({ timer }) => clearTimeout(timer)) });
  }

  /** Returns a preview's current content; undefined if it isn't open. */
  peek(uri: vscode.Uri): ResolvedPart | undefined {
    return this.previews.get(uri.toString())?.shown;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (isFolderPath(uri)) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    const { mtime, shown } = await this.open(uri);
    const size = Buffer.byteLength(shown.text);
    const permissions = vscode.FilePermission.Readonly;
    return { type: vscode.FileType.File, ctime: 0, mtime, size, permissions };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode((await this.open(uri)).shown.text);
  }

  protected getReadOnlyMessage(): string {
    return vscode.l10n.t('The resolved config is read-only. Edit the part config instead.');
  }

  private async open(uri: vscode.Uri): Promise<Preview & { shown: ResolvedPart }> {
    const address = parseResolvedAddress(uri);
    if (!address || !isPartAddress(address)) throw vscode.FileSystemError.FileNotFound(uri);
    const key = uri.toString();
    const preview = this.previews.get(key) ?? {
      uri,
      address,
      shown: undefined,
      mtime: 1,
      reads: 0,
      stale: false,
    };
    this.previews.set(key, preview);
    try {
      if (!preview.shown) await this.read(preview);
      const { shown } = preview;
      if (!shown) throw vscode.FileSystemError.Unavailable(notJson());
      return { ...preview, shown };
    } catch (error) {
      this.removePreview(uri);
      throw error;
    }
  }

  private async read(preview: Preview): Promise<void> {
    preview.reads += 1;
    const { reads } = preview;
    try {
      const known = preview.stale ? undefined : preview.shown?.known;
      preview.stale = false;
      this.follower.subscribe(preview.address.connectionId);
      const shown = await resolvePart(this.sessions, preview.address, known);
      // If the text isn't valid JSON, as is common during typing, the previous content remains
      // visible.
      if (!shown || (preview.shown && reads !== preview.reads)) return;
      const isOther = shown.text !== preview.shown?.text;
      if (isOther && preview.shown) preview.mtime += 1;
      preview.shown = shown;
      this.resolved.fire(preview.uri);
      const type = vscode.FileChangeType.Changed;
      if (isOther) this.changed.fire([{ type, uri: preview.uri }]);
    } catch (error) {
      preview.stale = true;
      throw vscode.FileSystemError.Unavailable(toFleetError(error).message);
    }
  }

  private refreshDocument(address: DocumentAddress | undefined): void {
    const key = address && addressKey(address);
    if (key) this.refreshWhere((other) => addressKey(other) === key);
  }

  private refreshWhere(isAffected: (address: PartAddress) => boolean, stale = false): void {
    for (const preview of this.previews.values()) {
      if (!isAffected(preview.address)) continue;
      preview.stale ||= stale;
      clearTimeout(preview.timer);
      preview.timer = setTimeout(() => {
        // If the read fails, the previous content remains visible, and the next change repeats the
        // read.
        if (!this.isDisposed) this.read(preview).catch(() => undefined);
      }, SETTLE_MILLISECONDS);
    }
  }

  private removePreview(uri: vscode.Uri): void {
    const preview = this.previews.get(uri.toString());
    if (!preview) return;
    clearTimeout(preview.timer);
    this.previews.delete(uri.toString());
  }
}

function notJson(): string {
  return vscode.l10n.t(
    "The config isn't valid JSON. Fix the errors in the Problems view, then try again.",
  );
}

type Refresh = (isAffected: (address: PartAddress) => boolean) => void;

/**
 * Reports outdated resolved configs for each connection for which a resolved config has been
 * opened.
 */
class StoreSubscriber extends Disposable {
  private readonly followed = new Set<ConnectionId>();

  constructor(
    private readonly sessions: SessionProvider,
    private readonly refresh: Refresh,
  ) {
    super();
  }

  subscribe(id: ConnectionId): void {
    if (this.followed.has(id)) return;
    this.followed.add(id);
    const { parts, fragments } = this.sessions.lastingStores(id);
    this.register(
      parts.onDidChange(({ all, ids }) =>
        this.refresh(
          ({ connectionId, subject }) => connectionId === id && (all || ids.includes(subject.id)),
        ),
      ),
    );
    // The parts that use a fragment might also have changed, so all of the connection's resolved
    // configs are refreshed.
    this.register(
      fragments.onDidChange(() => this.refresh(({ connectionId }) => connectionId === id)),
    );
  }
}
