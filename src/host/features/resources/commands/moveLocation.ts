import * as vscode from 'vscode';
import { formatOwner } from '../../../../core/confirmations/confirmation';
import { FleetError, toFleetError } from '../../../../core/api/errors';
import { displayName } from '../../../../core/model/displayText';
import type { Location, Organization } from '../../../../core/model/entities';
import type { LocationId } from '../../../../core/model/ids';
import { type LocationMove, type MoveProblem, planMove } from '../../../../core/model/locationMove';
import { listDescendants, pathNames } from '../../../../core/model/locationTree';
import type {
  FleetTarget,
  LocationTarget,
  OrganizationTarget,
} from '../../../../core/model/resourceTarget';
import type { FleetTools } from '../../../platform/fleetTools';
import { confirm, pickOne } from '../../../platform/prompts/prompts';
import { iconLabel, quickPath } from '../../../platform/text/displayText';
import { requireRight } from '../../../platform/permissions/requireRight';
import { resolveTarget } from '../../../platform/prompts/resolveTarget';
import { formatLocationCount } from '../counts';
import { showStatusMessage } from '../../../platform/commands/statusMessage';

/**
 * Moves locations into another location or to the top level, but never into themselves or their
 * contents.
 * @param selected the whole tree selection, if it includes the clicked location.
 */
export async function moveLocation(
  tools: FleetTools,
  requestedTarget: LocationTarget | undefined,
  selected: readonly FleetTarget[] = [],
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'location', requestedTarget, 'administer');
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
 * Returns the possible destinations. Excludes the locations being moved, their contents, and their
 * current parent if they all have the same one.
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

export type MoveDestination = OrganizationTarget | LocationTarget;

/**
 * Moves locations with their contents into another location or, if the destination is an
 * organization, to its top level. Prompts for confirmation, or reports why the move isn't possible.
 */
export async function moveLocations(
  tools: FleetTools,
  moved: readonly FleetTarget[],
  destination: MoveDestination | undefined,
): Promise<void> {
  if (!destination) throw createInvalidError(getWrongTargetMessage());
  const locations = movableTogether(moved, destination);
  const stores = tools.sessions.stores(destination.connectionId);
  for (const target of [...locations, destination]) {
    await requireRight(stores, target, 'administer');
  }
  const all = await stores.locations.list(destination.organizationId, { fresh: true });
  const parent = destination.kind === 'location' ? destination.locationId : undefined;
  const plan = planMove(
    locations.map(({ locationId }) => locationId),
    parent,
    all,
  );
  if (plan.kind === 'thereAlready') {
    notifyAlreadyThere(locations);
    return;
  }
  if (plan.kind !== 'move') throw createMoveError(plan);
  const organization = await stores.organizations.get(destination.organizationId);
  await confirm(
    formatQuestion(plan, destination),
    formatDetails(plan, organization),
    vscode.l10n.t('Move'),
  );
  await moveInTurn(plan.locations, (location) => stores.locations.move(location, parent));
  await showMoved(tools, locations);
}

/**
 * Reveals a moved location in its new position. If multiple locations were moved, selects none of
 * them.
 */
export async function showMoved(
  tools: FleetTools,
  [location, ...others]: readonly LocationTarget[],
): Promise<void> {
  if (location && others.length === 0) await tools.reveal(location);
}

/** Reports that the locations are already at the destination. */
export function notifyAlreadyThere([location, ...others]: readonly LocationTarget[]): void {
  if (!location) return;
  const { name, locationId: id } = location;
  showStatusMessage(
    others.length === 0
      ? vscode.l10n.t('"{0}" is already at the destination.', displayName({ name, id }))
      : vscode.l10n.t('The locations are already at the destination.'),
  );
}

/**
 * Returns the locations that can be moved in one operation. They must belong to the same fleet as
 * `together`. Throws if any of them can't be moved.
 */
export function movableTogether(
  moved: readonly FleetTarget[],
  together: MoveDestination,
): readonly LocationTarget[] {
  const locations = moved.filter((target) => target.kind === 'location');
  if (locations.length === 0 || locations.length < moved.length) {
    throw createInvalidError(getOnlyLocationsMessage());
  }
  if (locations.some((one) => !isTogether(one, together))) {
    throw createInvalidError(getOtherFleetMessage());
  }
  return locations;
}

/** Moves the locations sequentially. After a failure, reports the locations that were not moved. */
export async function moveInTurn(
  locations: readonly Location[],
  move: (location: Location) => Promise<unknown>,
): Promise<void> {
  for (const [index, location] of locations.entries()) {
    try {
      await move(location);
    } catch (error) {
      const { kind, message, action } = toFleetError(error);
      if (locations.length === 1) throw error;
      const text = vscode.l10n.t(
        '{0} of {1} locations were moved. "{2}" was not moved: {3}',
        index,
        locations.length,
        displayName(location),
        message,
      );
      throw new FleetError(kind, text, { cause: error, action });
    }
  }
}

function isTogether(location: LocationTarget, destination: MoveDestination): boolean {
  return (
    location.connectionId === destination.connectionId &&
    location.organizationId === destination.organizationId
  );
}

/** Returns the confirmation prompt for a move. */
export function formatQuestion({ locations }: LocationMove, destination: MoveDestination): string {
  const [first] = locations;
  const what =
    locations.length === 1 && first
      ? vscode.l10n.t('the location "{0}"', displayName(first))
      : formatLocationCount(locations.length);
  if (destination.kind === 'organization') {
    return vscode.l10n.t('Move {0} to the top level of "{1}"?', what, shownName(destination));
  }
  return vscode.l10n.t('Move {0} into "{1}"?', what, shownName(destination));
}

function formatDetails(
  { locations, inside, machines, readers }: LocationMove,
  organization: Organization,
): string {
  const names = locations.map((location) => displayName(location)).join(', ');
  return [
    ...(locations.length > 1 ? [vscode.l10n.t('Locations to move: {0}.', names)] : []),
    locations.length === 1
      ? formatOwner(organization, vscode.l10n)
      : vscode.l10n.t('They belong to the organization "{0}".', displayName(organization)),
    describeContents(inside, machines),
    ...(readers > 0 ? [describeNewReaders(readers)] : []),
    vscode.l10n.t(
      'Roles inherited from the current parent no longer apply. Roles on the new parent do.',
    ),
  ].join('\n');
}

function describeContents(locations: number, machines: number): string {
  const inMachines =
    machines === 1 ? vscode.l10n.t('1 machine') : vscode.l10n.t('{0} machines', machines);
  if (locations === 0) return vscode.l10n.t('This also moves {0}.', inMachines);
  return vscode.l10n.t('This also moves {0} and {1}.', formatLocationCount(locations), inMachines);
}

/** Describes the organizations that gain access to a moved location. */
export function describeNewReaders(readers: number): string {
  return readers === 1
    ? vscode.l10n.t(
        'The new parent is shared with another organization, which will also have access to this location.',
      )
    : vscode.l10n.t(
        'The new parent is shared with {0} organizations, which will also have access to this location.',
        readers,
      );
}

/** Returns the reason why locations can't be moved to a destination. */
export function createMoveError(
  problem: Exclude<MoveProblem, { readonly kind: 'thereAlready' }>,
): FleetError {
  return createInvalidError(describeProblem(problem));
}

function describeProblem(problem: Exclude<MoveProblem, { readonly kind: 'thereAlready' }>): string {
  switch (problem.kind) {
    case 'gone':
      return vscode.l10n.t('One of the locations no longer exists. Refresh the Fleet view.');
    case 'shared':
      return vscode.l10n.t(
        '"{0}" belongs to another organization, which shares it with yours. Only that organization can move it.',
        displayName(problem.location),
      );
    case 'intoItself':
      return vscode.l10n.t(
        '"{0}" can\'t be moved into itself or into a location inside it. Select another parent.',
        displayName(problem.location),
      );
  }
}

function getOnlyLocationsMessage(): string {
  return vscode.l10n.t(
    'Only locations can be moved. Machines stay in the location where they were created.',
  );
}

function getWrongTargetMessage(): string {
  return vscode.l10n.t(
    'Drop locations on another location to move them into it, or on their organization to move them to the top level.',
  );
}

function getOtherFleetMessage(): string {
  return vscode.l10n.t(
    "A location can't be moved to another organization. Share it with that organization instead.",
  );
}

function shownName(target: MoveDestination): string {
  const id = target.kind === 'location' ? target.locationId : target.organizationId;
  return displayName({ name: target.name, id });
}

function createInvalidError(message: string): FleetError {
  return new FleetError('invalid', message);
}
