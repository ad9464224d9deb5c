import * as vscode from 'vscode';
import type { Role, RoleResourceType } from '../../../core/model/access';
import { displayName } from '../../../core/model/displayText';
import type { Location } from '../../../core/model/entities';
import { pathNames } from '../../../core/model/locationTree';
import { iconLabel, quickPath } from '../../platform/text/displayText';
import { toRoleScope } from '../../../core/model/permissions';
import type {
  LocationTarget,
  MachineTarget,
  OrganizationTarget,
} from '../../../core/model/resourceTarget';
import { formatRole, roleIcon } from '../../platform/permissions/formatRole';

/** Resource on which a role can be granted. */
export interface NamedScope {
  readonly resourceType: RoleResourceType;
  readonly resourceId: string;
  readonly name: string;
}

/** Quick pick item for a resource. An item without a resource opens a prompt for a machine. */
export interface ScopeItem extends vscode.QuickPickItem {
  readonly scope: NamedScope | undefined;
}

interface ScopeSource {
  readonly organization: { readonly id: string; readonly name: string };
  readonly locations: readonly Location[];
  /**
   * Machine that the prompt was started for, which is offered by name; undefined if there is none.
   */
  readonly machine: NamedScope | undefined;
}

/** Returns items for the organization, for a machine, and for each location with its parents. */
export function createScopeItems({
  organization,
  locations,
  machine,
}: ScopeSource): readonly ScopeItem[] {
  const byId = new Map(locations.map((location) => [location.id, location]));
  const whole = createScopeItem('organization', vscode.l10n.t('the entire organization'), {
    resourceType: 'organization',
    resourceId: organization.id,
    name: organization.name,
  });
  const anyMachine: ScopeItem = {
    label: vscode.l10n.t('$(vm) One machine…'),
    alwaysShow: true,
    scope: undefined,
  };
  return [
    whole,
    ...(machine ? [createScopeItem('vm', vscode.l10n.t('machine'), machine)] : []),
    ...(locations.some(({ machineCount }) => machineCount > 0) ? [anyMachine] : []),
    ...(locations.length > 0 ? [separator(vscode.l10n.t('Locations'))] : []),
    ...locations.map((location) =>
      createScopeItem('location', locationPath(location, byId), {
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

/** Returns items for the locations that contain machines, for selecting a machine's location. */
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

export function createScopeItem(icon: string, description: string, scope: NamedScope): ScopeItem {
  const label = displayName({ name: scope.name, id: scope.resourceId });
  return { label: iconLabel(icon, label), description, scope };
}

function locationPath({ parentId }: Location, byId: ReadonlyMap<Location['id'], Location>): string {
  return quickPath(pathNames(parentId, byId));
}

function separator(label: string): ScopeItem {
  return { label, kind: vscode.QuickPickItemKind.Separator, scope: undefined };
}

/** Resource on which roles can be granted. */
export type RoleableTarget = OrganizationTarget | LocationTarget | MachineTarget;

/** Converts a resource to a role scope, with its name. */
export function toNamedScope(target: RoleableTarget): NamedScope {
  const { type, id } = toRoleScope(target);
  return { resourceType: type, resourceId: id, name: target.name };
}

/**
 * Returns the label for a role in a quick pick. @param resourceName the name of the role's resource
 */
export function roleLabel(role: Role, resourceName: string): string {
  return iconLabel(roleIcon(role.name), formatRole(role, resourceName));
}
