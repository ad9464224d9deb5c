import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { type FleetFilter, isFiltering, NO_FILTER } from '../../../core/listing/fleetFilter';
import type { KeyValue } from '../../../core/ports';
import type { Commands } from '../../platform/commandRegistry';
import { setContextKey } from '../../platform/contextKeys';
import { type Arrangement, type Grouping, groupingOf, isArranged, PLAIN } from './arrangement';
import { askFilter } from './askFilter';
import { filterMessage } from './filterText';
import type { FilterCounts } from './fleetListings';
import type { FleetTree } from './fleetTree';
import type { FleetNode } from './nodes/fleetNode';

const GROUPING_KEY = 'fleet.grouping';

/** How a person groups and filters the tree. The grouping is kept for the workspace, the filter is not. */
export class TreeArranger extends Disposable {
  private arrangement: Arrangement = PLAIN;
  private stale: Date | undefined;

  constructor(
    private readonly commands: Commands,
    private readonly tree: FleetTree,
    private readonly view: vscode.TreeView<FleetNode>,
    private readonly storage: KeyValue,
  ) {
    super();
    this.register(tree.onDidCount((counts) => this.say(counts)));
    this.registerCommands();
    this.arrange({ ...PLAIN, grouping: groupingOf(storage.get(GROUPING_KEY)) });
  }

  /** Shows the whole fleet by location, where everything has its place; false when it does already. */
  makePlain(): boolean {
    if (!isArranged(this.arrangement)) return false;
    this.arrange(PLAIN);
    return true;
  }

  /** Shows everything in the present grouping; false when nothing is left out. */
  clearFilter(): boolean {
    if (!isFiltering(this.arrangement.filter)) return false;
    this.filter(NO_FILTER);
    return true;
  }

  /** Says since when the statuses were not read; undefined when they are. */
  readonly tellStale = (since: Date | undefined): void => {
    this.stale = since;
    this.describe();
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
    // The entry of the present grouping is one of its own, with a tick.
    this.register(commands.register('fleetwright.fleet.groupedByLocation', () => undefined));
    this.register(commands.register('fleetwright.fleet.groupedByStatus', () => undefined));
    this.register(commands.register('fleetwright.fleet.groupedByFragment', () => undefined));
    this.register(
      commands.register('fleetwright.fleet.filter', async () => {
        const { tree } = this;
        this.filter(await askFilter(this.arrangement.filter, (...what) => tree.count(...what)));
      }),
    );
    this.register(commands.register('fleetwright.fleet.clearFilter', () => this.clearFilter()));
  }

  private filter(filter: FleetFilter): void {
    this.arrange({ ...this.arrangement, filter });
  }

  private arrange(arrangement: Arrangement): void {
    this.arrangement = arrangement;
    setContextKey('fleetwright.fleet.grouping', arrangement.grouping);
    setContextKey('fleetwright.fleet.filtered', isFiltering(arrangement.filter));
    this.say(undefined);
    this.describe();
    this.tree.arrange(arrangement);
  }

  private say(counts: FilterCounts | undefined): void {
    const message = filterMessage(this.arrangement.filter, counts);
    this.view.message = message ?? '';
  }

  /** Beside the title of the view: how it is grouped, and that its statuses are old. */
  private describe(): void {
    const { grouping } = this.arrangement;
    const facts = [
      ...(grouping === 'location' ? [] : [groupingText(grouping)]),
      ...(this.stale ? [staleText(this.stale)] : []),
    ];
    this.view.description = facts.join(' · ');
  }
}

function groupingText(grouping: Exclude<Grouping, 'location'>): string {
  return grouping === 'status' ? vscode.l10n.t('by status') : vscode.l10n.t('by fragment');
}

function staleText(since: Date): string {
  const format = new Intl.DateTimeFormat(vscode.env.language, { timeStyle: 'short' });
  return vscode.l10n.t('statuses as of {0}', format.format(since));
}
