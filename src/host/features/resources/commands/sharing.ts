import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { displayName } from '../../../../core/model/displayText';
import type { Location, OrganizationIdentity } from '../../../../core/model/entities';
import { listDescendants } from '../../../../core/model/locationTree';
import type { LocationTarget } from '../../../../core/model/resourceTarget';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { FleetTools } from '../../../platform/fleetTools';
import { confirm, inputError, pickOne, promptForText } from '../../../platform/prompts/prompts';
import { resolveTarget } from '../../../platform/prompts/resolveTarget';
import { copyText, showStatusMessage } from '../../../platform/commands/statusMessage';
import { currentLocation } from './locationCommands';
import { organizationId, type OrganizationId } from '../../../../core/model/ids';
import { iconLabel } from '../../../platform/text/displayText';

/** Grants another organization read access to a location. */
export async function shareLocation(
  tools: FleetTools,
  requestedTarget: LocationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'location', requestedTarget, 'administer');
  const location = await ownLocation(stores, target);
  const reader = await pickReader(stores, location);
  await confirm(
    vscode.l10n.t('Share "{0}" with "{1}"?', location.name, displayName(reader)),
    await consequence(stores, location, reader),
    vscode.l10n.t('Share'),
  );
  await stores.locations.share(location, reader.id);
  showStatusMessage(
    vscode.l10n.t('"{0}" is shared with "{1}".', location.name, displayName(reader)),
  );
}

/** Revokes an organization's access to a shared location. */
export async function unshareLocation(
  tools: FleetTools,
  requestedTarget: LocationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'location', requestedTarget, 'administer');
  const location = await ownLocation(stores, target);
  const readers = await listReaders(stores, location);
  if (readers.length === 0) {
    const message = vscode.l10n.t('"{0}" is not shared with any organization.', location.name);
    throw new FleetError('invalid', message);
  }
  const chosen = await pickOne(readers.map(organizationItem), {
    title: vscode.l10n.t('Stop Sharing "{0}"', location.name),
    placeholder: vscode.l10n.t('Select the organization that will lose access'),
  });
  const name = displayName(chosen.organization);
  await confirm(
    vscode.l10n.t('Stop sharing "{0}" with "{1}"?', location.name, name),
    vscode.l10n.t(
      'The organization immediately loses access to the location and everything in it.',
    ),
    vscode.l10n.t('Stop Sharing'),
  );
  await stores.locations.unshare(location, chosen.organization.id);
  showStatusMessage(vscode.l10n.t('"{0}" is no longer shared with "{1}".', location.name, name));
}

/** Lists the organizations with access to a location; selecting one copies its ID. */
export async function showLocationAccess(
  tools: FleetTools,
  requestedTarget: LocationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'location', requestedTarget);
  const location = await currentLocation(stores, target);
  const all = await stores.locations.organizationsWithAccess(location.id);
  const owners = all.filter(({ id }) => id === location.owner?.id);
  const readers = all.filter(({ id }) => id !== location.owner?.id);
  const items = [
    ...owners.map((one) => ({
      ...organizationItem(one),
      detail: vscode.l10n.t('The location belongs to this organization'),
    })),
    ...readers.map((one) => ({ ...organizationItem(one), detail: describeReader() })),
  ];
  const chosen = await pickOne(items, {
    title: vscode.l10n.t('Who Has Access to "{0}"', location.name),
    placeholder: vscode.l10n.t('Select an organization to copy its ID'),
  });
  await copyText(chosen.organization.id);
}

/**
 * Reads the location's current state. Throws `permission` if another organization owns the
 * location.
 */
async function ownLocation(stores: FleetStores, target: LocationTarget): Promise<Location> {
  const location = await currentLocation(stores, target);
  const { owner } = location;
  if (owner && owner.id !== target.organizationId) {
    const message = vscode.l10n.t(
      '"{0}" belongs to the organization "{1}". Only that organization can share it.',
      location.name,
      displayName(owner),
    );
    throw new FleetError('permission', message);
  }
  return location;
}

/** Describes the new permissions for the confirmation prompt. */
async function consequence(
  stores: FleetStores,
  location: Location,
  reader: OrganizationIdentity,
): Promise<string> {
  const all = await stores.locations.list(location.organizationId);
  const inside = listDescendants(location.id, all);
  const machines = [location, ...inside].reduce((sum, one) => sum + one.machineCount, 0);
  const owner = await stores.organizations.get(location.organizationId);
  return [
    reader.name === ''
      ? vscode.l10n.t(
          "This organization isn't available through this connection. Check the organization ID.",
        )
      : vscode.l10n.t('Its ID is {0}.', reader.id),
    vscode.l10n.t(
      "The organization's owners and operators will see the location and everything in it, including configs and histories (locations: {0}, machines: {1}). They can control and restart the machines.",
      inside.length,
      machines,
    ),
    vscode.l10n.t('Only "{0}" can edit the location and manage its secrets.', owner.name),
  ].join(' ');
}

function describeReader(): string {
  return vscode.l10n.t('Can view everything in the location and control the machines');
}

interface OrganizationItem extends vscode.QuickPickItem {
  readonly organization: OrganizationIdentity;
}

/** Returns a quick pick item for an organization. */
function organizationItem(organization: OrganizationIdentity): OrganizationItem {
  return {
    label: iconLabel('organization', displayName(organization)),
    description: organization.id,
    organization,
  };
}

/** Returns the organizations that a location is shared with. */
async function listReaders(
  stores: FleetStores,
  { id, organizationId: own }: Location,
): Promise<readonly OrganizationIdentity[]> {
  const all = await stores.locations.organizationsWithAccess(id);
  return all.filter((organization) => organization.id !== own);
}

/**
 * Prompts for an organization that doesn't have access yet: a known organization, or any
 * organization by its ID.
 */
async function pickReader(stores: FleetStores, location: Location): Promise<OrganizationIdentity> {
  const [known, readers] = await Promise.all([
    stores.organizations.list(),
    listReaders(stores, location),
  ]);
  const excluded = new Set([location.organizationId, ...readers.map(({ id }) => id)]);
  const others = known.filter(({ id }) => !excluded.has(id));
  const title = vscode.l10n.t('Share Location "{0}"', location.name);
  if (others.length > 0) {
    const byId = {
      label: vscode.l10n.t('$(edit) Enter Organization ID…'),
      description: '',
      organization: undefined,
    };
    const chosen = await pickOne<
      vscode.QuickPickItem & { readonly organization: OrganizationIdentity | undefined }
    >([...others.map(organizationItem), byId], {
      title,
      placeholder: vscode.l10n.t('Select the organization to share with'),
    });
    if (chosen.organization) return chosen.organization;
  }
  const id = await promptForOrganizationId(title, excluded);
  return { id, name: '' };
}

async function promptForOrganizationId(
  title: string,
  excluded: ReadonlySet<OrganizationId>,
): Promise<OrganizationId> {
  const text = await promptForText({
    title,
    prompt: vscode.l10n.t(
      'The ID of the organization to share with. Members of the organization can find it in the organization settings.',
    ),
    validate: (value) => {
      const id = value.trim();
      if (id === '') return inputError(vscode.l10n.t('Enter the ID of an organization.'));
      if (/[\s\p{Cc}]/u.test(id)) return inputError(vscode.l10n.t("An ID can't contain spaces."));
      if (excluded.has(organizationId(id))) {
        return inputError(vscode.l10n.t('This organization already has access.'));
      }
      return undefined;
    },
  });
  return organizationId(text.trim());
}
