import * as vscode from 'vscode';
import { unfinishedItems } from '../../../../core/bulk/bulkRun';
import { topmostTargets } from '../../../../core/bulk/topmostTargets';
import type { Location } from '../../../../core/model/entities';
import type { LocationId } from '../../../../core/model/ids';
import { listDescendants } from '../../../../core/model/locationTree';
import type { ResourceTarget } from '../../../../core/model/resourceTarget';
import type { Selection } from '../../../../manifest/commandArguments';
import { formatList } from '../../../platform/text/displayText';
import { working } from '../../../platform/commands/progress';
import { confirmByName } from '../../../platform/prompts/prompts';
import { createReport, type ReportedProblem } from '../../../platform/commands/bulkReports';
import {
  type BulkTools,
  describeSkipped,
  formatTarget,
  formatTargetCounts,
  getCommandTargets,
  ofKinds,
  organizationNames,
  withRight,
} from '../bulkTargets';

/**
 * Targets that can be deleted together. Registry items must be deleted individually, because each
 * has its own versions and users to check.
 */
type Deletable = Exclude<ResourceTarget, { readonly kind: 'organization' | 'registryItem' }>;

/** Locations by ID, in their current state on the service. */
type Locations = ReadonlyMap<LocationId, Location>;

/** Deletes the selected resources after the user types the number of resources. */
export async function deleteMany(tools: BulkTools, selection: Selection): Promise<void> {
  const chosen = ofKinds(
    getCommandTargets(tools, selection),
    ['location', 'machine', 'part', 'fragment', 'dataset'],
    vscode.l10n.t(
      'In the Fleet view, first select the locations, machines, parts, fragments, or datasets to delete.',
    ),
  );
  const { fitting, skipped: denied } = await withRight(tools, chosen.fitting, 'administer');
  const skipped = [...chosen.skipped, ...denied];
  const locations = await loadLocations(tools, fitting);
  const targets = topmostTargets(fitting, (id) => locations.get(id)?.parentId);
  const [first] = targets;
  if (first && targets.length === 1 && skipped.length === 0) return deleteOne(tools, first);
  const counted = formatTargetCounts(targets);
  const owners = vscode.l10n.t('They belong to {0}.', await organizationNames(tools, targets));
  await confirmByName({
    title: vscode.l10n.t('Delete {0}', counted),
    prompt: [
      owners,
      ...describeDependents(targets, locations),
      ...describeSkipped(skipped),
      vscode.l10n.t('This can\'t be undone. Type "{0}" to confirm.', confirmation(targets.length)),
    ].join(' '),
    name: confirmation(targets.length),
  });
  await deleteAll(tools, { targets, locations, skipped, owners });
}

function confirmation(count: number): string {
  return vscode.l10n.t('delete {0}', count);
}

interface Deletion {
  readonly targets: readonly Deletable[];
  readonly locations: Locations;
  readonly skipped: readonly ReportedProblem[];
  /** Sentence about the resources' organizations. */
  readonly owners: string;
}

async function deleteAll(tools: BulkTools, deletion: Deletion): Promise<void> {
  const { targets, locations, skipped, owners } = deletion;
  const title = vscode.l10n.t('Delete {0}', formatTargetCounts(targets));
  const outcomes = await working(title, targets, (target) => remove(tools, target, locations));
  const rest = unfinishedItems(outcomes);
  const retry = (): Promise<void> => deleteAll(tools, { ...deletion, targets: rest, skipped: [] });
  await tools.reports.showReport(
    { ...createReport(title, outcomes, formatTarget), details: owners, skipped },
    { retry: rest.length > 0 ? retry : undefined },
  );
}

async function remove(tools: BulkTools, target: Deletable, locations: Locations): Promise<void> {
  const stores = tools.sessions.stores(target.connectionId);
  switch (target.kind) {
    case 'location': {
      const location = locations.get(target.locationId);
      if (location) await stores.locations.delete(location);
      return;
    }
    case 'machine':
      return stores.machines.delete({ id: target.machineId, locationId: target.locationId });
    case 'part':
      return stores.parts.delete({ id: target.partId, machineId: target.machineId });
    case 'fragment':
      return stores.fragments.delete({
        id: target.fragmentId,
        organizationId: target.organizationId,
      });
    case 'dataset':
      return stores.datasets.delete({
        id: target.datasetId,
        organizationId: target.organizationId,
      });
  }
}

/** Deletes a single resource with its own command, which prompts for its name. */
async function deleteOne({ commands }: BulkTools, target: Deletable): Promise<void> {
  switch (target.kind) {
    case 'location':
      return commands.execute('fleetwright.location.delete', target);
    case 'machine':
      return commands.execute('fleetwright.machine.delete', target);
    case 'part':
      return commands.execute('fleetwright.part.delete', target);
    case 'fragment':
      return commands.execute('fleetwright.fragment.delete', target);
    case 'dataset':
      return commands.execute('fleetwright.dataset.delete', target);
  }
}

async function loadLocations(tools: BulkTools, targets: readonly Deletable[]): Promise<Locations> {
  const organizations = new Map(
    targets.map((target) => [target.organizationId, target.connectionId]),
  );
  const lists = await Promise.all(
    [...organizations].map(([id, connectionId]) =>
      tools.sessions.stores(connectionId).locations.list(id, { fresh: true }),
    ),
  );
  return new Map(lists.flat().map((location) => [location.id, location]));
}

function describeDependents(
  targets: readonly Deletable[],
  locations: Locations,
): readonly string[] {
  const others = targets.filter(({ kind }) => kind !== 'dataset');
  const stays = vscode.l10n.t('Items in the datasets are not deleted.');
  return [
    ...(others.length > 0
      ? [vscode.l10n.t('This also deletes {0}.', formatList(listDependents(others, locations)))]
      : []),
    ...(others.length < targets.length ? [stays] : []),
  ];
}

/** Returns a phrase for each kind of resource that is deleted together with the targets. */
function listDependents(targets: readonly Deletable[], locations: Locations): readonly string[] {
  const all = [...locations.values()];
  const chosen = targets.flatMap((target) =>
    target.kind === 'location' ? (locations.get(target.locationId) ?? []) : [],
  );
  const inside = chosen.flatMap(({ id }) => listDescendants(id, all));
  const machines = [...chosen, ...inside].reduce((sum, one) => sum + one.machineCount, 0);
  const hasMachines = machines > 0 || targets.some(({ kind }) => kind === 'machine');
  return [
    ...(inside.length > 0 ? [formatNestedLocationCount(inside.length)] : []),
    ...(machines > 0 ? [formatNestedMachineCount(machines)] : []),
    ...(hasMachines ? [vscode.l10n.t('all parts')] : []),
    vscode.l10n.t('configs, metadata, and histories'),
  ];
}

function formatNestedLocationCount(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 location inside')
    : vscode.l10n.t('{0} locations inside', count);
}

function formatNestedMachineCount(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 machine inside')
    : vscode.l10n.t('{0} machines inside', count);
}
