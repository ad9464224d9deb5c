import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { displayName } from '../../../../core/model/toDisplayText';
import type { Location } from '../../../../core/model/entities';
import type { LocationId } from '../../../../core/model/ids';
import { planMove } from '../../../../core/model/locationMove';
import { listDescendants, pathNames } from '../../../../core/model/locationTree';
import type { FleetTarget, LocationTarget } from '../../../../core/model/resourceTarget';
import type { FleetTools } from '../../../platform/fleetTools';
import { pickOne, confirm } from '../../../platform/prompts';
import { iconLabel, quickPath } from '../../../platform/toQuickPickText';
import { requireRight } from '../../../platform/requireRight';
import { resolveTarget } from '../../../platform/resolveTarget';
import { formatLocationCount } from '../counts';
import {
  movableTogether,
  moveInTurn,
  createMoveError,
  formatQuestion,
  describeNewReaders,
  showMoved,
  notifyAlreadyThere,
} from './moveLocations';

/**
 * Moves locations into another location or to the top level, but never into themselves or their
 * contents.
 * @param selected the whole tree selection, if it includes the clicked location.
 */
export async function moveLocation(
  tools: FleetTools,
  given: LocationTarget | undefined,
  selected: readonly FleetTarget[] = [],
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'location', given, 'administer');
  const targets = selected.length > 1 ? movableTogether(selected, target) : [target];
  for (const one of targets) await requireRight(stores, one, 'administer');
  const ids = targets.map(({ locationId }) => locationId);
  const read = () => stores.locations.list(target.organizationId, { fresh: true });
  const all = await read();
  const toTheTop = planMove(ids, undefined, all);
  if (toTheTop.kind === 'gone' || toTheTop.kind === 'shared') throw createMoveError(toTheTop);
  const destinations = listDestinations(ids, all);
  if (destinations.length === 0) {
    throw new FleetError('invalid', vscode.l10n.t('There is no other location to move it to.'));
  }
  const chosen = await pickOne<(typeof destinations)[number]>(destinations, {
    title: formatTitle(targets),
    placeholder: vscode.l10n.t('Select the destination. All contents are also moved.'),
  });
  // Another user might have moved the locations while the list was open.
  const plan = planMove(ids, chosen.id, await read());
  if (plan.kind === 'thereAlready') {
    notifyAlreadyThere(targets);
    return;
  }
  if (plan.kind !== 'move') throw createMoveError(plan);
  if (plan.readers > 0 && chosen.id !== undefined) {
    const destination = { ...target, locationId: chosen.id, name: chosen.name };
    const yes = vscode.l10n.t('Move');
    await confirm(formatQuestion(plan, destination), describeNewReaders(plan.readers), yes);
  }
  await moveInTurn(plan.locations, (location) => stores.locations.move(location, chosen.id));
  await showMoved(tools, targets);
}

interface DestinationItem extends vscode.QuickPickItem {
  /** Undefined for the top level. */
  readonly id: LocationId | undefined;
  readonly name: string;
}

/**
 * Returns the possible destinations. Excludes the moved locations and their contents, and the
 * current parent if all of them have the same one.
 */
function listDestinations(
  ids: readonly LocationId[],
  all: readonly Location[],
): readonly DestinationItem[] {
  const byId = new Map(all.map((one) => [one.id, one]));
  const moving = new Set([
    ...ids,
    ...ids.flatMap((id) => listDescendants(id, all).map((one) => one.id)),
  ]);
  const parents = new Set(ids.map((id) => byId.get(id)?.parentId));
  const isWhereAllAre = (id: LocationId | undefined): boolean =>
    parents.size === 1 && parents.has(id);
  const top: DestinationItem = {
    label: vscode.l10n.t('$(home) Top level of the organization'),
    id: undefined,
    name: '',
  };
  const locations = all
    .filter(({ id }) => !moving.has(id))
    .map((one): DestinationItem => ({
      label: iconLabel('location', displayName(one)),
      description: quickPath(pathNames(one.parentId, byId)),
      id: one.id,
      name: one.name,
    }));
  return [top, ...locations].filter(({ id }) => !isWhereAllAre(id));
}

function formatTitle(targets: readonly LocationTarget[]): string {
  const [first] = targets;
  return targets.length === 1 && first
    ? vscode.l10n.t('Move Location "{0}"', displayName({ name: first.name, id: first.locationId }))
    : vscode.l10n.t('Move {0}', formatLocationCount(targets.length));
}
