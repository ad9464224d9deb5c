import * as vscode from 'vscode';
import type { RoleResourceType } from '../../../core/model/access';
import { displayName } from '../../../core/model/displayText';
import type { Location } from '../../../core/model/entities';
import { pathNames } from '../../../core/model/locationTree';
import { iconLabel, quickPath } from '../../platform/quickText';

/** Where a role can be given. */
export interface NamedPlace {
  readonly resourceType: RoleResourceType;
  readonly resourceId: string;
  readonly name: string;
}

/** A place to choose; without one the item asks on for a machine. */
export interface PlaceItem extends vscode.QuickPickItem {
  readonly place: NamedPlace | undefined;
}

interface PlaceSource {
  readonly organization: { readonly id: string; readonly name: string };
  readonly locations: readonly Location[];
  /** A machine to offer by name, because the question began at it. */
  readonly machine: NamedPlace | undefined;
}

/** The organization, a machine, then its locations with what they are in. */
export function placeItems({
  organization,
  locations,
  machine,
}: PlaceSource): readonly PlaceItem[] {
  const byId = new Map(locations.map((location) => [location.id, location]));
  const whole = placeItem('organization', vscode.l10n.t('the entire organization'), {
    resourceType: 'organization',
    resourceId: organization.id,
    name: organization.name,
  });
  const anyMachine: PlaceItem = {
    label: vscode.l10n.t('$(vm) One machine…'),
    alwaysShow: true,
    place: undefined,
  };
  return [
    whole,
    ...(machine ? [placeItem('vm', vscode.l10n.t('machine'), machine)] : []),
    ...(locations.some(({ machineCount }) => machineCount > 0) ? [anyMachine] : []),
    ...(locations.length > 0 ? [separator(vscode.l10n.t('Locations'))] : []),
    ...locations.map((location) =>
      placeItem('location', locationPath(location, byId), {
        resourceType: 'location',
        resourceId: location.id,
        name: location.name,
      }),
    ),
  ];
}

export interface LocationItem extends vscode.QuickPickItem {
  readonly location: Location;
}

/** The locations that hold machines, to choose the one that the machine is in. */
export function machineLocationItems(locations: readonly Location[]): readonly LocationItem[] {
  const byId = new Map(locations.map((location) => [location.id, location]));
  return locations
    .filter(({ machineCount }) => machineCount > 0)
    .map((location) => ({
      label: iconLabel('location', displayName(location)),
      description: locationPath(location, byId),
      location,
    }));
}

export function placeItem(icon: string, description: string, place: NamedPlace): PlaceItem {
  const label = displayName({ name: place.name, id: place.resourceId });
  return { label: iconLabel(icon, label), description, place };
}

function locationPath({ parentId }: Location, byId: ReadonlyMap<Location['id'], Location>): string {
  return quickPath(pathNames(parentId, byId));
}

function separator(label: string): PlaceItem {
  return { label, kind: vscode.QuickPickItemKind.Separator, place: undefined };
}
