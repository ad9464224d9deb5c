import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { addressKey, type DocumentAddress } from '../../../core/documents/documentAddress';
import type { DocumentFile } from '../../../core/documents/documentFile';
import type { DocumentFiles } from '../../../core/documents/documentFiles';
import { findDocumentTarget, findResourcePath } from '../../../core/documents/documentResource';
import { describeReadOnly } from '../../../core/api/readOnly';
import { toDisplayText } from '../../../core/model/displayText';
import type { ResourceTarget } from '../../../core/model/resourceTarget';
import type { CommandId } from '../../../manifest/commands';
import { setContextKey } from '../../platform/commands/contextKeys';
import type { SessionProvider } from '../../platform/sessionProvider';
import { parseDocumentAddress, parseRevisionAddress } from '../../platform/documents/documentUris';
import type { DocumentAccess } from './fleetFileSystem';
import type { MergePreviews } from './revisionContent';
import { formatBreadcrumb } from '../../platform/documents/describeDocument';

/** Places the item to the left of text items such as line and column. */
const PRIORITY = 110;

/** Shows the resource of the active document, and whether the document was changed remotely. */
export class DocumentStatus extends Disposable {
  private readonly item = this.register(
    vscode.window.createStatusBarItem(
      'fleetwright.document',
      vscode.StatusBarAlignment.Right,
      PRIORITY,
    ),
  );
  private readonly names = new Map<string, string>();
  /** Resources whose documents the key can't edit. */
  private readonly locked = new Map<string, ResourceTarget>();
  private readonly reading = new Set<string>();

  constructor(
    private readonly files: DocumentFiles,
    private readonly sessions: SessionProvider,
    private readonly previews: MergePreviews,
    private readonly access: DocumentAccess,
  ) {
    super();
    this.item.name = vscode.l10n.t('Fleetwright Document');
    this.register(files.onDidChangeState(() => this.update()));
    this.register(access.onDidChange(() => this.update()));
    this.register(sessions.onDidChangeConnections(() => this.update()));
    this.register(vscode.window.onDidChangeActiveTextEditor(() => this.update()));
    this.register(vscode.window.tabGroups.onDidChangeTabs(() => this.update()));
    this.update();
  }

  private update(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const address = uri && (parseDocumentAddress(uri) ?? parseRevisionAddress(uri)?.address);
    const file = uri && this.files.peek(uri.toString());
    const type = address?.subject.type;
    setContextKey('fleetwright.document.changedElsewhere', file?.isChangedElsewhere ?? false);
    setContextKey(
      'fleetwright.document.hasHistory',
      type === 'partConfig' || type === 'fragmentConfig',
    );
    setContextKey(
      'fleetwright.document.readOnly',
      address !== undefined && this.locked.has(addressKey(address)),
    );
    setContextKey('fleetwright.document.mergePreview', isMergeInFront(this.previews));
    if (!address) {
      this.item.hide();
      return;
    }
    this.show(address, file);
  }

  private show(address: DocumentAddress, file: DocumentFile | undefined): void {
    const key = addressKey(address);
    const path = this.names.get(key);
    void this.readPath(key, address);
    const { item } = this;
    const background = (id: string): vscode.ThemeColor => new vscode.ThemeColor(id);
    const shown = [path ?? '…', ...this.getConnectionLabels(address)].join(' · ');
    item.text = `$(json) ${withoutIcons(shown)}`;
    item.tooltip = path && shown;
    item.backgroundColor = undefined;
    item.command = undefined;
    if (file?.isDeleted) {
      item.text = `$(trash) ${vscode.l10n.t('Deleted remotely')}`;
      item.tooltip = toLines(
        shown,
        vscode.l10n.t('Close the editor, or save a copy to keep your edits.'),
      );
      item.backgroundColor = background('statusBarItem.errorBackground');
    } else if (file?.isChangedElsewhere) {
      item.text = `$(git-merge) ${vscode.l10n.t('Changed remotely')}`;
      item.tooltip = toLines(
        shown,
        vscode.l10n.t('Click to compare, merge, overwrite, or reload.'),
      );
      item.backgroundColor = background('statusBarItem.warningBackground');
      item.command = 'fleetwright.document.resolve';
    } else if (this.locked.has(key)) {
      item.text = `$(lock) ${vscode.l10n.t('Read-only')}`;
      const connection = this.sessions.connection(address.connectionId);
      if (connection?.readOnly) {
        item.tooltip = toLines(shown, describeReadOnly(connection, vscode.l10n));
        item.command = {
          command: 'fleetwright.connection.allowChanges' satisfies CommandId,
          title: vscode.l10n.t('Allow Changes'),
          arguments: [connection.id],
        };
        item.show();
        return;
      }
      item.tooltip = toLines(
        shown,
        vscode.l10n.t('Your API key can read this document but not change it. Click to see why.'),
      );
      item.command = {
        command: 'fleetwright.resource.explainPermissions' satisfies CommandId,
        title: vscode.l10n.t('Explain Permissions'),
        arguments: [this.locked.get(key)],
      };
    }
    item.show();
  }

  /**
   * Returns the connection's label if there is more than one connection, because resources of
   * different connections can have the same names.
   */
  private getConnectionLabels({ connectionId }: DocumentAddress): readonly string[] {
    const { sessions } = this;
    const connection = sessions.connections.length > 1 && sessions.connection(connectionId);
    return connection ? [toDisplayText(connection.label)] : [];
  }

  /**
   * Shows the last known name while the current name is being read. Stores respond from their cache
   * until the name changes.
   */
  private async readPath(key: string, address: DocumentAddress): Promise<void> {
    if (this.reading.has(key)) return;
    this.reading.add(key);
    try {
      const stores = this.sessions.stores(address.connectionId);
      const path = await findResourcePath(stores, address.subject);
      const name = formatBreadcrumb(path);
      const canChange = await this.access.canChange(address);
      const lock = canChange ? undefined : await findDocumentTarget(stores, address);
      const same = this.names.get(key) === name && this.locked.has(key) === (lock !== undefined);
      if (same || this.isDisposed) return;
      this.names.set(key, name);
      if (lock) this.locked.set(key, lock);
      else this.locked.delete(key);
      queueMicrotask(() => this.update());
    } catch {
      // The document itself shows the problem with the connection.
      this.names.delete(key);
    } finally {
      this.reading.delete(key);
    }
  }
}

function isMergeInFront(previews: MergePreviews): boolean {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff && previews.get(input.modified) !== undefined;
}

function toLines(...lines: readonly string[]): string {
  return lines.join('\n');
}

/** Prevents `$(name)` from being rendered as an icon, because fleet names are plain text. */
function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}
