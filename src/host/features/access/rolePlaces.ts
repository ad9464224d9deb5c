import * as vscode from 'vscode';
import type { RoleResourceType } from '../../../core/model/access';
import { displayName } from '../../../core/model/displayText';
import type { Location } from '../../../core/model/entities';
import { pathNames } from '../../../core/model/locationTree';
import { iconLabel, quickPath } from '../../platform/quickText';

/** Resource that a role can be granted on. */
export interface NamedPlace {
  readonly resourceType: RoleResourceType;
  readonly resourceId: string;
  readonly name: string;
}

/** Quick pick item of a resource; without one, the item leads to a prompt for a machine. */
export interface PlaceItem extends vscode.QuickPickItem {
  readonly place: NamedPlace | undefined;
}

interface PlaceSource {
  readonly organization: { readonly id: string; readonly name: string };
  readonly locations: readonly Location[];
  /** Machine to offer by name, because the prompt was started for it. */
  readonly machine: NamedPlace | undefined;
}

/** Returns items for the organization, a machine, and the locations with their parents. */
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

/** Returns items for the locations that contain machines, to select that of the machine. */
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
