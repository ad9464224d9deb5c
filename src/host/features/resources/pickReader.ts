import * as vscode from 'vscode';
import { displayName } from '../../../core/model/toDisplayText';
import type { Location, OrganizationIdentity } from '../../../core/model/entities';
import { organizationId, type OrganizationId } from '../../../core/model/ids';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { pickOne, promptForText, inputError } from '../../platform/prompts';
import { iconLabel } from '../../platform/toQuickPickText';

interface OrganizationItem extends vscode.QuickPickItem {
  readonly organization: OrganizationIdentity;
}

/** Returns a quick pick item for an organization. */
export function organizationItem(organization: OrganizationIdentity): OrganizationItem {
  return {
    label: iconLabel('organization', displayName(organization)),
    description: organization.id,
    organization,
  };
}

/** Returns the organizations that a location is shared with. */
export async function listReaders(
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
export async function pickReader(
  stores: FleetStores,
  location: Location,
): Promise<OrganizationIdentity> {
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
