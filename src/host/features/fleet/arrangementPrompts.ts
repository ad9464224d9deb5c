import * as vscode from 'vscode';
import { DisposableSet } from '../../../base/disposable';
import { canceled } from '../../../core/api/errors';
import {
  listItemPlatforms,
  matchesRegistryFilter,
  type RegistryFilter,
  type RegistryItem,
} from '../../../core/model/registryItem';
import { toQuickPickText } from '../../platform/text/displayText';
import {
  formatPlatform,
  formatRegistryStatus,
  formatRegistryType,
  formatVisibility,
} from '../../platform/text/registryText';
import { pickOne } from '../../platform/prompts/prompts';
import { type Grouping, GROUPINGS } from './arrangement';

/** Row of the list, which represents one value of one filter criterion. */
interface FilterItem extends vscode.QuickPickItem {
  readonly criteria?: Partial<RegistryFilter>;
}

const TYPES = ['module', 'mlModel', 'trainingScript', 'archive', 'slamMap'] as const;
const VISIBILITIES = ['private', 'public', 'publicUnlisted'] as const;
const STATUSES = ['published', 'inDevelopment'] as const;

/**
 * Prompts for the registry filter: for each criterion, an item must match any of the selected
 * values. The title shows the number of matches as the user edits the filter. Throws `canceled` if
 * the user dismisses the list.
 * @param read reads all items. If it fails, nothing is counted, and only the current filter's
 *   platforms are offered.
 */
export async function promptForRegistryFilter(
  current: RegistryFilter,
  read: (signal: AbortSignal) => Promise<readonly RegistryItem[]>,
): Promise<RegistryFilter> {
  const owned = new DisposableSet();
  const leaving = new AbortController();
  const pick = owned.add(vscode.window.createQuickPick<FilterItem>());
  const title = vscode.l10n.t('Filter Registry');
  pick.title = title;
  pick.placeholder = vscode.l10n.t(
    'Select what to show. Groups with nothing selected show everything.',
  );
  pick.canSelectMany = true;
  pick.busy = true;
  let items: readonly RegistryItem[] | undefined;
  const readFilter = (): RegistryFilter => toRegistryFilter(pick.selectedItems);
  const count = (): void => {
    if (!items) return;
    const filter = readFilter();
    const matching = items.filter((item) => matchesRegistryFilter(item, filter)).length;
    const matchText = vscode.l10n.t('{0} of {1} match', matching, items.length);
    pick.title = `${title} · ${matchText}`;
  };
  const offer = (filter: RegistryFilter): void => {
    pick.items = rowsFor(new Set([...filter.platforms, ...listItemPlatforms(items ?? [])]));
    pick.selectedItems = pick.items.filter(
      ({ criteria }) => criteria && includesFilter(filter, criteria),
    );
  };
  offer(current);
  read(leaving.signal)
    .then((found) => {
      items = found;
      if (!leaving.signal.aborted) offer(readFilter());
      count();
    })
    .catch(() => undefined)
    .finally(() => (pick.busy = false));
  try {
    return await new Promise<RegistryFilter>((resolve, reject) => {
      owned.add(pick.onDidAccept(() => resolve(readFilter())));
      owned.add(pick.onDidHide(() => reject(canceled())));
      owned.add(pick.onDidChangeSelection(count));
      pick.show();
    });
  } finally {
    leaving.abort();
    owned.dispose();
  }
}

function rowsFor(platforms: ReadonlySet<string>): readonly FilterItem[] {
  return [
    heading(vscode.l10n.t('Type')),
    ...TYPES.map((type) => ({
      label: asTitle(formatRegistryType(type)),
      criteria: { types: [type] },
    })),
    heading(vscode.l10n.t('Visibility')),
    ...VISIBILITIES.map((visibility) => ({
      label: asTitle(formatVisibility(visibility)),
      criteria: { visibilities: [visibility] },
    })),
    heading(vscode.l10n.t('Status')),
    ...STATUSES.map((status) => ({
      label: asTitle(formatRegistryStatus(status)),
      criteria: { statuses: [status] },
    })),
    ...(platforms.size > 0 ? [heading(vscode.l10n.t('Runs on'))] : []),
    ...[...platforms].toSorted().map((platform) => ({
      label: toQuickPickText(formatPlatform(platform)),
      criteria: { platforms: [platform] },
    })),
  ];
}

/** Capitalizes the first letter of text that is lowercase when it is used within a line. */
function asTitle(text: string): string {
  const [first = ''] = text;
  return first.toLocaleUpperCase(vscode.env.language) + text.slice(first.length);
}

function heading(label: string): FilterItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function includesFilter(filter: RegistryFilter, criteria: Partial<RegistryFilter>): boolean {
  const kinds = Object.keys(criteria) as (keyof RegistryFilter)[];
  return kinds.every((kind) => {
    const selected: readonly string[] = filter[kind];
    return (criteria[kind] ?? []).every((value) => selected.includes(value));
  });
}

function toRegistryFilter(rows: readonly FilterItem[]): RegistryFilter {
  return {
    types: rows.flatMap(({ criteria }) => criteria?.types ?? []),
    visibilities: rows.flatMap(({ criteria }) => criteria?.visibilities ?? []),
    statuses: rows.flatMap(({ criteria }) => criteria?.statuses ?? []),
    platforms: rows.flatMap(({ criteria }) => criteria?.platforms ?? []),
  };
}

/** Prompts for the criterion by which the tree groups machines. Throws `canceled`. */
export async function promptForGrouping(current: Grouping): Promise<Grouping> {
  const labels: Readonly<Record<Grouping, string>> = {
    location: vscode.l10n.t('Location'),
    status: vscode.l10n.t('Status'),
    fragment: vscode.l10n.t('Fragment'),
  };
  const items = GROUPINGS.map((grouping) => ({
    grouping,
    label: labels[grouping],
    ...(grouping === current && { description: vscode.l10n.t('current') }),
  }));
  const { grouping } = await pickOne(items, {
    title: vscode.l10n.t('Group Machines By'),
    placeholder: vscode.l10n.t('Select how to group machines in the Fleet view'),
  });
  return grouping;
}
