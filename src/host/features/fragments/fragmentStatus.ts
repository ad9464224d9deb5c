import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { FragmentId, ConnectionId } from '../../../core/model/ids';
import type { RolloutCounts } from '../../../core/stores/fragmentRollout';
import type { CommandId } from '../../../manifest/commands';
import { parseDocumentAddress } from '../../platform/documents/documentUris';
import type { SessionProvider } from '../../platform/sessionProvider';
import { formatNumber } from '../../platform/text/displayText';
import { countParts, FollowedStores, getPollingInterval } from './rolloutView';
import { VisiblePoller } from './visiblePoller';

/** Places the item to the right of the item with the number of parts that use the fragment. */
const PRIORITY = 108;

/** Fragment whose config is the active document. */
interface ActiveFragment {
  readonly connectionId: ConnectionId;
  readonly id: FragmentId;
}

/**
 * Shows in the status bar how many parts run the saved revision of the fragment whose config is the
 * active document. A click opens the Rollout view. Shows nothing if no part uses the fragment or
 * the service doesn't report rollouts.
 */
export class RolloutStatus extends Disposable {
  private readonly item = this.register(
    vscode.window.createStatusBarItem(
      'fleetwright.rolloutStatus',
      vscode.StatusBarAlignment.Right,
      PRIORITY,
    ),
  );
  private active: ActiveFragment | undefined;
  private readonly poller = this.register(
    new VisiblePoller(
      () => this.active !== undefined,
      () => this.update(),
    ),
  );
  private readonly followed = this.register(
    new FollowedStores(() => this.poller.pollAfterChange()),
  );

  constructor(private readonly sessions: SessionProvider) {
    super();
    this.item.name = vscode.l10n.t('Fleetwright Fragment Rollout');
    this.item.command = 'fleetwright.fragment.showRollout' satisfies CommandId;
    this.register(vscode.window.onDidChangeActiveTextEditor(() => this.activate()));
    this.register(sessions.onDidChangeConnections(() => void this.poller.poll()));
    this.activate();
  }

  private activate(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const address = uri && parseDocumentAddress(uri);
    const { active } = this;
    if (address?.subject.type !== 'fragmentConfig') {
      this.active = undefined;
      this.item.hide();
      return;
    }
    const { connectionId, subject } = address;
    if (active?.id === subject.id && active.connectionId === connectionId) return;
    this.active = { connectionId, id: subject.id };
    this.followed.follow(this.sessions, { connectionId });
    this.item.hide();
    void this.poller.poll();
  }

  private async update(): Promise<number> {
    const { active } = this;
    const counts = active && (await this.read(active));
    if (active === this.active && !this.isDisposed) this.show(counts);
    return getPollingInterval(counts);
  }

  /** Returns undefined if the service doesn't respond. The document shows that error. */
  private async read({ connectionId, id }: ActiveFragment): Promise<RolloutCounts | undefined> {
    try {
      const stores = this.sessions.stores(connectionId);
      const { name, organizationId } = await stores.fragments.get(id);
      if (!stores.fragments.reportsRollouts) return undefined;
      const kind = 'fragment';
      const target = { kind, connectionId, organizationId, fragmentId: id, name } as const;
      return (await stores.fragments.readRollout(target, 'pending', 1)).counts;
    } catch {
      return undefined;
    }
  }

  private show(counts: RolloutCounts | undefined): void {
    const total = counts ? countParts(counts) : 0;
    if (!counts || total === 0) {
      this.item.hide();
      return;
    }
    const numbers = [formatNumber(counts.applied), formatNumber(total)] as const;
    const isDone = counts.applied === total;
    this.item.text = `$(${isDone ? 'pass' : 'rocket'}) ${vscode.l10n.t('Rollout: {0} of {1}', ...numbers)}`;
    this.item.tooltip = vscode.l10n.t(
      '{0} of {1} parts run the saved revision of this fragment.',
      ...numbers,
    );
    this.item.show();
  }
}

/** Places the item to the right of the document name and to the left of the line and column. */
const USAGE_PRIORITY = 109;

/**
 * Shows the number of parts that a save affects while a fragment's config is active. The user sees
 * the number before saving, without a prompt. A click lists the machines.
 */
export class FragmentUsageItem extends Disposable {
  private readonly item = this.register(
    vscode.window.createStatusBarItem(
      'fleetwright.fragmentUsage',
      vscode.StatusBarAlignment.Right,
      USAGE_PRIORITY,
    ),
  );
  private shownFor: string | undefined;

  constructor(private readonly sessions: SessionProvider) {
    super();
    this.item.name = vscode.l10n.t('Fleetwright Fragment Usage');
    this.item.command = 'fleetwright.fragment.showMachines';
    const { window, workspace } = vscode;
    this.register(window.onDidChangeActiveTextEditor(() => void this.update({ fresh: true })));
    this.register(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document === window.activeTextEditor?.document) void this.update();
      }),
    );
    this.register(workspace.onDidSaveTextDocument(() => void this.update()));
    void this.update({ fresh: true });
  }

  /**
   * @param fresh true to request the number from the service, because saved part configs can change
   *   which parts use the fragment.
   */
  private async update({ fresh = false } = {}): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const address = document && parseDocumentAddress(document.uri);
    if (address?.subject.type !== 'fragmentConfig') {
      this.shownFor = undefined;
      this.item.hide();
      return;
    }
    const key = document?.uri.toString();
    if (this.shownFor !== key) this.item.hide();
    this.shownFor = key;
    try {
      const { connectionId, subject } = address;
      const { fragments } = this.sessions.stores(connectionId);
      const { partCount } = await fragments.get(subject.id, { fresh });
      if (this.shownFor !== key || this.isDisposed) return;
      this.show(partCount, document?.isDirty ?? false);
    } catch {
      // The document itself reports connection problems.
      this.item.hide();
    }
  }

  private show(count: number, dirty: boolean): void {
    const used =
      count === 1 ? vscode.l10n.t('used by 1 part') : vscode.l10n.t('used by {0} parts', count);
    const reached =
      count === 1
        ? vscode.l10n.t('saving affects 1 part')
        : vscode.l10n.t('saving affects {0} parts', count);
    const warns = dirty && count > 0;
    this.item.text = `$(layers) ${warns ? reached : used}`;
    this.item.tooltip = vscode.l10n.t('Find Machines Using Fragment');
    this.item.backgroundColor = warns
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.item.show();
  }
}
