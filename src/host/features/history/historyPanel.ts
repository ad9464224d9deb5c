import * as vscode from 'vscode';
import { Disposable, type DisposableLike } from '../../../base/disposable';
import { addressKey, type DocumentAddress } from '../../../core/documents/documentAddress';
import { createConfigSource, createHistorySource } from '../../../core/documents/documentSources';
import type { Revision } from '../../../core/documents/revisionList';
import { findKeyNames, findResourcePath } from '../../../core/documents/documentResource';
import { FleetError } from '../../../core/api/errors';
import { describeReadOnly } from '../../../core/api/readOnly';
import type { Editor } from '../../../core/model/entities';
import type { Logger } from '../../../core/ports';
import type { RevisionArgument } from '../../../manifest/commandArguments';
import { historyProtocol, type HistoryProtocol } from '../../../shared/history';
import type { HostHandlers } from '../../../shared/protocol';
import type { Commands } from '../../platform/commands/commandRegistry';
import {
  formatBreadcrumb,
  formatEditor,
  formatVersionTime,
} from '../../platform/documents/describeDocument';
import { documentUri } from '../../platform/documents/documentUris';
import type { SessionProvider } from '../../platform/sessionProvider';
import { createRecoveryHandlers } from '../../platform/webview/recoveryActions';
import { WebviewDispatcher } from '../../platform/webview/webviewDispatcher';
import type { PanelContent } from '../../platform/webview/webviewPanels';
import { type ChangeLabels, DocumentHistory, historySnapshot } from './documentHistory';

export interface HistoryPanelOptions {
  readonly commands: Commands;
  readonly sessions: SessionProvider;
  readonly presentError: (error: unknown) => void;
  readonly log: Logger;
}

/** Webview panel with one document's history. */
export class HistoryPanel extends Disposable implements PanelContent<DocumentAddress> {
  private history: DocumentHistory | undefined;
  private following: DisposableLike | undefined;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    readonly start: DocumentAddress,
    private readonly options: HistoryPanelOptions,
  ) {
    super();
    const { webview } = panel;
    const { presentError, log } = options;
    const dispatcher = this.register(
      new WebviewDispatcher(historyProtocol, webview, this.handlers(), presentError, log),
    );
    // A restored panel keeps its title, which contains the document's name.
    panel.title ||= vscode.l10n.t('History');
    this.notifyChanged = () => dispatcher.notify('changed', undefined);
  }

  private readonly notifyChanged: () => void;

  override dispose(): void {
    this.following?.dispose();
    super.dispose();
  }

  shows(address: DocumentAddress): boolean {
    return addressKey(address) === addressKey(this.start);
  }

  reveal(): void {
    this.panel.reveal();
  }

  private handlers(): HostHandlers<HistoryProtocol> {
    return {
      ready: () =>
        Promise.resolve({
          locale: vscode.env.language,
          // Saved in the webview to restore the panel after a window reload.
          document: documentUri(this.start, ['history']).toString(),
        }),
      load: async (_, signal) => {
        const history = this.openHistory();
        await history.load(signal);
        return this.snapshot(history, signal);
      },
      loadMore: async (_, signal) => {
        const history = this.openHistory();
        await history.loadMore(signal);
        return this.snapshot(history, signal);
      },
      compare: ({ older, newer }) => this.compare(older, newer),
      compareWithCurrent: ({ key }) => this.compare(key, 'current'),
      restore: ({ key }) => this.restore(key),
      ...createRecoveryHandlers(this.options.commands, () => this.notifyChanged()),
    };
  }

  private openHistory(): DocumentHistory {
    const { connectionId, subject } = this.start;
    if (this.history) return this.history;
    const stores = this.options.sessions.lastingStores(connectionId);
    const entries = createHistorySource(stores, subject);
    if (!entries) {
      throw new FleetError('unsupported', vscode.l10n.t('This document has no history.'));
    }
    const source = createConfigSource(stores, subject);
    this.history = new DocumentHistory(source, entries);
    this.following = source.onDidChange(() => this.notifyChanged());
    this.register(stores.access.onDidChange(() => this.notifyChanged()));
    return this.history;
  }

  private async snapshot(history: DocumentHistory, signal: AbortSignal) {
    const { connectionId, subject } = this.start;
    const stores = this.options.sessions.stores(connectionId);
    const [place, keyNames] = await Promise.all([
      findResourcePath(stores, subject, signal),
      findKeyNames(stores, subject, signal),
    ]);
    this.panel.title = vscode.l10n.t('History: {0}', history.name);
    const labels = {
      ...getChangeLabels(),
      editor: (editor: Editor | undefined) => formatEditor(editor, keyNames),
    };
    const connection = this.options.sessions.connection(connectionId);
    return {
      ...historySnapshot(history, formatBreadcrumb(place), labels),
      ...(connection?.readOnly && { readOnly: describeReadOnly(connection, vscode.l10n) }),
    };
  }

  private async compare(older: string, newer: string): Promise<void> {
    const [left, right] = [this.argument(older), this.argument(newer)];
    const { commands } = this.options;
    await commands.execute('fleetwright.document.compareRevisions', this.start, left, right);
  }

  private async restore(key: string): Promise<void> {
    await this.options.commands.execute(
      'fleetwright.document.restore',
      this.start,
      this.argument(key),
    );
  }

  /**
   * Returns the command argument for a revision key from the webview. The key is valid only if it
   * occurs in the history that was sent to the webview.
   */
  private argument(key: string): RevisionArgument {
    const revisions = this.history?.revisions ?? [];
    const found = revisions.find((revision) => revision.key === key);
    if (found) {
      return { key: found.key, label: formatLabel(found), time: formatMadeOn(found) };
    }
    const replaced = revisions.find((revision) => this.history?.previousKey(revision.key) === key);
    const previous = replaced && this.history?.previousKey(replaced.key);
    if (previous === undefined) {
      throw new FleetError('notFound', vscode.l10n.t('This version is no longer in the list.'));
    }
    return { key: previous, label: vscode.l10n.t('before') };
  }
}

function formatLabel(revision: Revision): string {
  if (revision.key === 'current') return vscode.l10n.t('current');
  return formatMadeOn(revision) ?? vscode.l10n.t('first version');
}

function formatMadeOn({ madeOn }: Revision): string | undefined {
  return madeOn === undefined ? undefined : formatVersionTime(madeOn);
}

/** Returns the localized phrases for changes. */
function getChangeLabels(): ChangeLabels {
  return {
    firstVersion: vscode.l10n.t('First version'),
    unknown: vscode.l10n.t('Unknown'),
    onlyLayout: vscode.l10n.t('Formatting only'),
    wholeDocument: vscode.l10n.t('The whole document'),
    renamed: (from, to) => vscode.l10n.t('Renamed from {0} to {1}', from, to),
    added: (where) => vscode.l10n.t('{0} added', where),
    removed: (where) => vscode.l10n.t('{0} removed', where),
    changed: (where) => vscode.l10n.t('{0} changed', where),
    andMore: (first, others) => vscode.l10n.t('{0} and {1} more', first, others),
    more: (hidden) => vscode.l10n.t('{0} more', hidden),
  };
}
