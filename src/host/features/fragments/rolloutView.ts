import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { toDisplayText } from '../../../core/model/displayText';
import { getPresence, relativeTime } from '../../../core/model/presence';
import type { FragmentTarget } from '../../../core/model/resourceTarget';
import type { Clock } from '../../../core/ports';
import type {
  PartRollout,
  RolloutCounts,
  RolloutState,
} from '../../../core/stores/fragmentRollout';
import type { CommandId } from '../../../manifest/commands';
import { views } from '../../../manifest/contributions';
import { setContextKey } from '../../platform/commands/contextKeys';
import { actionLabel } from '../../platform/commands/errorPresenter';
import { type NodeRenderer, NodeTreeProvider } from '../../platform/nodeTreeProvider';
import type { SessionProvider } from '../../platform/sessionProvider';
import { formatNumber } from '../../platform/text/displayText';
import { VisiblePoller } from './visiblePoller';
import { type RolloutNode, RolloutTree } from './rolloutTree';

/** Polling interval while machines have yet to fetch or apply the revision. */
const PENDING_INTERVAL_MS = 5_000;
/** Polling interval otherwise, and after an error. */
const IDLE_INTERVAL_MS = 60_000;

const { Expanded, None } = vscode.TreeItemCollapsibleState;

/**
 * Returns the delay until the next poll of a rollout.
 * @param counts undefined after an error
 */
export function getPollingInterval(counts: RolloutCounts | undefined): number {
  return counts && counts.pending > 0 ? PENDING_INTERVAL_MS : IDLE_INTERVAL_MS;
}

/** Returns the number of parts that use the fragment. */
export function countParts({ applied, pending, pinned, unknown }: RolloutCounts): number {
  return applied + pending + pinned + unknown;
}

/**
 * Rollout view in the side bar, with the parts that use a fragment. It is absent until a rollout is
 * opened, and polls only while it is visible.
 */
export class RolloutView extends Disposable {
  private readonly tree: RolloutTree;
  private readonly view: vscode.TreeView<RolloutNode>;
  private readonly poller: VisiblePoller;
  private readonly followed = this.register(
    new FollowedStores(() => this.poller.pollAfterChange()),
  );

  constructor(
    private readonly sessions: SessionProvider,
    clock: Clock,
  ) {
    super();
    this.tree = this.register(new RolloutTree(sessions));
    this.view = this.register(
      vscode.window.createTreeView(views.rollout, {
        treeDataProvider: new NodeTreeProvider(this.tree, new RolloutRenderer(clock)),
        showCollapseAll: true,
      }),
    );
    this.poller = this.register(
      new VisiblePoller(
        () => this.view.visible && this.tree.target !== undefined,
        async () => {
          await this.tree.refresh();
          return getPollingInterval(this.tree.refreshError ? undefined : this.tree.counts);
        },
      ),
    );
    this.register(this.tree.onDidChange(() => this.update()));
    this.register(this.view.onDidChangeVisibility(() => void this.poller.poll()));
    this.register(sessions.onDidRecover(() => void this.poller.poll()));
    this.register(sessions.onDidChangeConnections(() => this.closeWithoutConnection()));
  }

  /** Shows a fragment's rollout and moves the focus to the view. */
  async show(target: FragmentTarget): Promise<void> {
    this.followed.follow(this.sessions, target);
    this.tree.show(target);
    setContextKey('fleetwright.rollout.open', true);
    await vscode.commands.executeCommand(`${views.rollout}.focus`);
    this.update();
    await this.poller.poll();
  }

  readonly refresh = (): Promise<void> => this.poller.poll();

  readonly loadMore = async (node: object): Promise<void> => {
    const { kind } = node as RolloutNode;
    if (kind === 'rest') await this.tree.loadMore(node as Extract<RolloutNode, { kind: 'rest' }>);
  };

  close(): void {
    setContextKey('fleetwright.rollout.open', false);
    this.tree.show(undefined);
  }

  private closeWithoutConnection(): void {
    const { target } = this.tree;
    if (target && !this.sessions.connection(target.connectionId)) this.close();
  }

  private update(): void {
    const { target, counts, refreshError } = this.tree;
    this.view.description = target ? formatDescription(target, counts) : '';
    if (refreshError) {
      this.view.message = toDisplayText(refreshError.message);
    } else if (counts && countParts(counts) === 0) {
      this.view.message = vscode.l10n.t('No machine that you can see uses this fragment.');
    } else {
      this.view.message = '';
    }
  }
}

/** Subscriptions to the stores whose changes can change the rollout of a connection's fragment. */
export class FollowedStores extends Disposable {
  private subscriptions: readonly vscode.Disposable[] = [];

  constructor(private readonly onChange: () => void) {
    super();
    this.register({ dispose: () => this.stop() });
  }

  follow(sessions: SessionProvider, { connectionId }: Pick<FragmentTarget, 'connectionId'>): void {
    this.stop();
    const { fragments, parts } = sessions.lastingStores(connectionId);
    this.subscriptions = [fragments, parts].map((store) =>
      vscode.Disposable.from(store.onDidChange(() => this.onChange())),
    );
  }

  private stop(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

function formatDescription({ name }: FragmentTarget, counts: RolloutCounts | undefined): string {
  if (!counts) return toDisplayText(name);
  return vscode.l10n.t(
    '{0}: {1} of {2} parts up to date',
    toDisplayText(name),
    formatNumber(counts.applied),
    formatNumber(countParts(counts)),
  );
}

/** Renders the nodes of a rollout. */
export class RolloutRenderer implements NodeRenderer<RolloutNode> {
  constructor(private readonly clock: Clock) {}

  render(node: RolloutNode): vscode.TreeItem {
    const item = this.toTreeItem(node);
    item.id = node.id;
    return item;
  }

  tooltip(node: RolloutNode): Promise<string | undefined> {
    return Promise.resolve(node.kind === 'part' ? this.formatTooltip(node.part) : undefined);
  }

  private toTreeItem(node: RolloutNode): vscode.TreeItem {
    switch (node.kind) {
      case 'group': {
        const item = new vscode.TreeItem(formatGroup(node.state), Expanded);
        item.description = formatNumber(node.count);
        return item;
      }
      case 'part':
        return this.toPartItem(node);
      case 'rest':
        return toRestItem(node);
      case 'error': {
        const { error } = node;
        const item = new vscode.TreeItem(toDisplayText(error.message), None);
        item.iconPath = new vscode.ThemeIcon(
          'error',
          new vscode.ThemeColor('list.errorForeground'),
        );
        item.description = actionLabel(error.action ?? 'retry');
        item.command = {
          command: (error.action === 'signIn'
            ? 'fleetwright.connection.signIn'
            : 'fleetwright.rollout.refresh') satisfies CommandId,
          title: item.description,
        };
        return item;
      }
    }
  }

  private toPartItem({ part }: Extract<RolloutNode, { kind: 'part' }>): vscode.TreeItem {
    const { target } = part;
    const label = toDisplayText(target.machineName);
    const item = new vscode.TreeItem(label, None);
    const facts = [
      ...(part.main ? [] : [toDisplayText(target.name)]),
      formatStage(part),
      this.formatOffline(part),
    ].filter((fact) => fact !== '');
    item.description = facts.join(' · ');
    item.iconPath = getIcon(part);
    item.accessibilityInformation = { label: [label, ...facts].join(', ') };
    item.contextValue = 'part';
    item.command = {
      command: 'fleetwright.resource.reveal' satisfies CommandId,
      title: vscode.l10n.t('Reveal in Fleet View'),
      arguments: [target],
    };
    return item;
  }

  /** Formats the last contact of a machine that can't fetch the revision now. */
  private formatOffline(part: PartRollout): string {
    const now = this.clock.now();
    const { status, lastSeen } = getPresence(part, now);
    if (part.state === 'applied' || status !== 'offline') return '';
    if (!lastSeen) return vscode.l10n.t('offline');
    return vscode.l10n.t(
      'offline · last seen {0}',
      relativeTime(lastSeen, now, vscode.env.language),
    );
  }

  private formatTooltip(part: PartRollout): string {
    const { target, fetchedAt } = part;
    const ago = fetchedAt && relativeTime(fetchedAt, this.clock.now(), vscode.env.language);
    return [
      `${toDisplayText(target.machineName)} › ${toDisplayText(target.name)}`,
      explainStage(part),
      ...(ago === undefined ? [] : [vscode.l10n.t('Last fetched: {0}', ago)]),
    ].join('\n');
  }
}

function toRestItem(node: Extract<RolloutNode, { kind: 'rest' }>): vscode.TreeItem {
  const { shown, count } = node;
  if (!node.canLoad) {
    const text = vscode.l10n.t('{0} more parts are not shown', formatNumber(count - shown));
    const item = new vscode.TreeItem(text, None);
    item.iconPath = new vscode.ThemeIcon('info');
    return item;
  }
  const text = vscode.l10n.t('Load more ({0} of {1} shown)', shown, count);
  const item = new vscode.TreeItem(text, None);
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = {
    command: 'fleetwright.rollout.loadMore' satisfies CommandId,
    title: text,
    arguments: [node],
  };
  return item;
}

/** Returns the title of the parts in a state. */
export function formatGroup(state: RolloutState): string {
  switch (state) {
    case 'applied':
      return vscode.l10n.t('Up to date');
    case 'pending':
      return vscode.l10n.t('Pending');
    case 'pinned':
      return vscode.l10n.t('Pinned to another revision');
    case 'unknown':
      return vscode.l10n.t('Unknown');
  }
}

/** Formats a part's stage, as far as the group doesn't state it. */
export function formatStage({ state, fetched }: Pick<PartRollout, 'state' | 'fetched'>): string {
  switch (state) {
    case 'pending':
      return fetched === 'savedRevision'
        ? vscode.l10n.t('fetched, not applied yet')
        : vscode.l10n.t('not fetched yet');
    case 'unknown':
      return fetched === 'savedRevision'
        ? vscode.l10n.t('fetched')
        : vscode.l10n.t('never fetched a config');
    default:
      return '';
  }
}

function explainStage({ state, fetched }: Pick<PartRollout, 'state' | 'fetched'>): string {
  switch (state) {
    case 'applied':
      return vscode.l10n.t('The machine runs the saved revision of the fragment.');
    case 'pending':
      return fetched === 'savedRevision'
        ? vscode.l10n.t(
            "The machine has fetched the saved revision of the fragment but hasn't reported that it runs it.",
          )
        : vscode.l10n.t("The machine hasn't fetched the saved revision of the fragment yet.");
    case 'pinned':
      return vscode.l10n.t(
        "The part config pins another revision of the fragment, so the machine doesn't fetch the saved one.",
      );
    case 'unknown':
      return fetched === 'savedRevision'
        ? vscode.l10n.t(
            "The machine has fetched the saved revision of the fragment. It doesn't report which config it runs.",
          )
        : vscode.l10n.t('The machine has never fetched a config.');
  }
}

function getIcon({ state, fetched }: PartRollout): vscode.ThemeIcon {
  switch (state) {
    case 'applied':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('charts.green'));
    case 'pending':
      return new vscode.ThemeIcon(fetched === 'savedRevision' ? 'cloud-download' : 'cloud-upload');
    case 'pinned':
      return new vscode.ThemeIcon('pinned');
    case 'unknown':
      return new vscode.ThemeIcon('question');
  }
}
