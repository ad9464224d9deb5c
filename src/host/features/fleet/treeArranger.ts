import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { type FleetFilter, isFiltering, NO_FILTER } from '../../../core/listing/fleetFilter';
import {
  isFilteringRegistry,
  type RegistryFilter,
  WHOLE_REGISTRY,
} from '../../../core/model/registryFilter';
import type { KeyValue } from '../../../core/ports';
import type { Commands } from '../../platform/commandRegistry';
import { setContextKey } from '../../platform/contextKeys';
import { type Arrangement, type Grouping, parseGrouping, isArranged, PLAIN } from './arrangement';
import { promptForFilter } from './promptForFilter';
import { filterMessage } from './formatFilter';
import type { FilterCounts } from './fleetListings';
import type { FleetTree } from './fleetTree';
import type { FleetNode } from './nodes/fleetNode';

const GROUPING_KEY = 'fleet.grouping';

/**
 * Grouping and filters of the tree. The grouping is saved in the workspace; the filters are not
 * saved.
 */
export class TreeArranger extends Disposable {
  private arrangement: Arrangement = PLAIN;
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
        const { promptForGrouping } = await import('./promptForGrouping');
        group(await promptForGrouping(this.arrangement.grouping))();
      }),
    );
    // The menu item of the current grouping is a separate command with a check mark.
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
        const { promptForRegistryFilter: promptForRegistry } =
          await import('./promptForRegistryFilter');
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

  private arrange(arrangement: Arrangement): void {
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
