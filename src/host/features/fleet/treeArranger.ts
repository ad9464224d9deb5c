import * as vscode from 'vscode';
import { Disposable, DisposableSet } from '../../../base/disposable';
import { type FleetFilter, isFiltering, NO_FILTER } from '../../../core/stores/organizationListing';
import {
  isFilteringRegistry,
  type RegistryFilter,
  WHOLE_REGISTRY,
} from '../../../core/model/registryItem';
import type { KeyValue } from '../../../core/ports';
import type { Commands } from '../../platform/commands/commandRegistry';
import { setContextKey } from '../../platform/commands/contextKeys';
import { type TreeSettings, type Grouping, isArranged, parseGrouping, PLAIN } from './arrangement';
import type { FilterCounts } from './fleetListings';
import type { FleetTree } from './fleetTree';
import type { FleetNode } from './nodes/fleetNode';
import { canceled } from '../../../core/api/errors';
import type { OnlineStatus } from '../../../core/model/entities';
import { formatOnlineStatus, statusMeaning, statusTitle } from './formatPresence';
import { toDisplayText } from '../../../core/model/displayText';
import { formatList } from '../../platform/text/displayText';

const GROUPING_KEY = 'fleet.grouping';

/**
 * Grouping and filters for the tree. The grouping is saved in the workspace; the filters are not
 * saved.
 */
export class TreeArranger extends Disposable {
  private arrangement: TreeSettings = PLAIN;
  private counts: FilterCounts | undefined;
  private stale: Date | undefined;

  constructor(
    private readonly commands: Commands,
    private readonly tree: FleetTree,
    private readonly view: vscode.TreeView<FleetNode>,
    private readonly storage: KeyValue,
  ) {
    super();
    this.register(
      tree.onDidCount((counts) => {
        this.counts = counts;
        this.updateMessage();
      }),
    );
    this.registerCommands();
    this.arrange({ ...PLAIN, grouping: parseGrouping(storage.get(GROUPING_KEY)) });
  }

  /**
   * Shows the whole fleet by location, so that every resource is visible. Returns false if the tree
   * already does so.
   */
  makePlain(): boolean {
    if (!isArranged(this.arrangement)) return false;
    this.arrange(PLAIN);
    return true;
  }

  /** Shows all resources in the current grouping. Returns false if there is no filter. */
  clearFilter(): boolean {
    if (!isFiltering(this.arrangement.filter)) return false;
    this.filter(NO_FILTER);
    return true;
  }

  /** Shows all registry items. Returns false if there is no filter. */
  clearRegistryFilter(): boolean {
    if (!isFilteringRegistry(this.arrangement.registry)) return false;
    this.filterRegistry(WHOLE_REGISTRY);
    return true;
  }

  /**
   * Receives the time since which the statuses have been outdated; undefined if they are current.
   */
  readonly notifyStale = (since: Date | undefined): void => {
    this.stale = since;
    this.updateMessage();
  };

  private registerCommands(): void {
    const { commands } = this;
    const group = (grouping: Grouping) => (): void => {
      void this.storage.update(GROUPING_KEY, grouping);
      this.arrange({ ...this.arrangement, grouping });
    };
    this.register(commands.register('fleetwright.fleet.groupByLocation', group('location')));
    this.register(commands.register('fleetwright.fleet.groupByStatus', group('status')));
    this.register(commands.register('fleetwright.fleet.groupByFragment', group('fragment')));
    this.register(
      commands.register('fleetwright.fleet.groupMachines', async () => {
        const { promptForGrouping } = await import('./arrangementPrompts');
        group(await promptForGrouping(this.arrangement.grouping))();
      }),
    );
    // The menu item for the current grouping is a separate command with a check mark.
    this.register(commands.register('fleetwright.fleet.groupedByLocation', () => undefined));
    this.register(commands.register('fleetwright.fleet.groupedByStatus', () => undefined));
    this.register(commands.register('fleetwright.fleet.groupedByFragment', () => undefined));
    this.register(
      commands.register('fleetwright.fleet.filter', async () => {
        const { tree } = this;
        this.filter(
          await promptForFilter(this.arrangement.filter, (...what) => tree.count(...what)),
        );
      }),
    );
    this.register(commands.register('fleetwright.fleet.clearFilter', () => this.clearFilter()));
    this.register(
      commands.register('fleetwright.registry.filter', async (organization) => {
        const { tree } = this;
        const { promptForRegistryFilter: promptForRegistry } = await import('./arrangementPrompts');
        this.filterRegistry(
          await promptForRegistry(this.arrangement.registry, (signal) =>
            tree.registryItems(organization, signal),
          ),
        );
      }),
    );
    this.register(
      commands.register('fleetwright.registry.clearFilter', () => this.clearRegistryFilter()),
    );
  }

  private filter(filter: FleetFilter): void {
    this.arrange({ ...this.arrangement, filter });
  }

  private filterRegistry(registry: RegistryFilter): void {
    this.arrange({ ...this.arrangement, registry });
  }

  private arrange(arrangement: TreeSettings): void {
    this.arrangement = arrangement;
    setContextKey('fleetwright.fleet.grouping', arrangement.grouping);
    setContextKey('fleetwright.fleet.filtered', isFiltering(arrangement.filter));
    setContextKey('fleetwright.registry.filtered', isFilteringRegistry(arrangement.registry));
    this.counts = undefined;
    this.updateMessage();
    this.tree.arrange(arrangement);
  }

  /** Updates the message above the tree, which lists filters and reports outdated statuses. */
  private updateMessage(): void {
    const filtered = filterMessage(this.arrangement.filter, this.counts);
    const facts = [
      ...(filtered ? [filtered] : []),
      ...(this.stale ? [formatStaleNotice(this.stale)] : []),
    ];
    this.view.message = facts.join(' ');
  }
}

function formatStaleNotice(since: Date): string {
  const format = new Intl.DateTimeFormat(vscode.env.language, { timeStyle: 'short' });
  return vscode.l10n.t(
    'These statuses are from {0}. Later attempts to read them failed.',
    format.format(since),
  );
}

const STATUSES: readonly OnlineStatus[] = ['online', 'offline', 'awaitingSetup', 'unknown'];

interface StatusItem extends vscode.QuickPickItem {
  readonly status: OnlineStatus;
}

/** Counts the filter matches. */
export type CountMatches = (
  filter: FleetFilter,
  signal: AbortSignal,
) => Promise<FilterCounts | undefined>;

/**
 * Prompts for the fleet filter: text in the input, statuses in the list. The title shows the number
 * of matches as the user edits the filter. Throws `canceled` if the user dismisses the list.
 */
async function promptForFilter(current: FleetFilter, count: CountMatches): Promise<FleetFilter> {
  const owned = new DisposableSet();
  const leaving = new AbortController();
  const pick = owned.add(vscode.window.createQuickPick<StatusItem>());
  const title = vscode.l10n.t('Filter Fleet View');
  pick.title = title;
  pick.placeholder = vscode.l10n.t('Filter by name, path, or ID, and select statuses below');
  pick.canSelectMany = true;
  // The text doesn't filter this list.
  pick.items = STATUSES.map((status) => ({
    status,
    label: statusTitle(status),
    description: statusMeaning(status),
    alwaysShow: true,
  }));
  pick.selectedItems = pick.items.filter(({ status }) => current.statuses.includes(status));
  pick.value = current.text;
  const readFilter = (): FleetFilter => ({
    text: pick.value.trim(),
    statuses: pick.selectedItems.map(({ status }) => status),
  });
  let latest = 0;
  const preview = async (): Promise<void> => {
    latest += 1;
    const mine = latest;
    pick.busy = true;
    const counts = await count(readFilter(), leaving.signal).catch(() => undefined);
    if (mine !== latest || leaving.signal.aborted) return;
    pick.busy = false;
    pick.title = counts ? `${title} · ${formatCounts(counts)}` : title;
  };
  try {
    return await new Promise<FleetFilter>((resolve, reject) => {
      owned.add(pick.onDidAccept(() => resolve(readFilter())));
      owned.add(pick.onDidHide(() => reject(canceled())));
      owned.add(pick.onDidChangeValue(() => void preview()));
      owned.add(pick.onDidChangeSelection(() => void preview()));
      pick.show();
      void preview();
    });
  } finally {
    leaving.abort();
    owned.dispose();
  }
}

/** Formats a filter, such as `"rover", offline`. */
function formatFilter({ text, statuses }: FleetFilter): string {
  const textParts = text.trim() === '' ? [] : [`"${toDisplayText(text.trim())}"`];
  const states = new Intl.ListFormat(vscode.env.language, { type: 'disjunction' }).format(
    statuses.map(formatOnlineStatus),
  );
  return [...textParts, ...(states === '' ? [] : [states])].join(', ');
}

/** Returns the message above the tree; undefined if there is no filter. */
function filterMessage(filter: FleetFilter, counts: FilterCounts | undefined): string | undefined {
  if (!isFiltering(filter)) return undefined;
  const shown = vscode.l10n.t('Filter: {0}.', formatFilter(filter));
  return counts ? `${shown} ${formatCounts(counts)}.` : `${shown} ${vscode.l10n.t('Loading…')}`;
}

/** Formats the number of matches and the number of lists that couldn't be read. */
function formatCounts({ machines, total, others, failed }: FilterCounts): string {
  const format = new Intl.NumberFormat(vscode.env.language);
  const [shown, all] = [format.format(machines), format.format(total)];
  const isEmpty = machines + others === 0;
  const matching = isEmpty
    ? vscode.l10n.t('No matches among {0} machines', all)
    : vscode.l10n.t('{0} of {1} machines match', shown, all);
  if (failed === 0) return matching;
  const unread =
    failed === 1
      ? vscode.l10n.t("1 list couldn't be read")
      : vscode.l10n.t("{0} lists couldn't be read", format.format(failed));
  return formatList([matching, unread]);
}
