import * as vscode from 'vscode';
import type { Organization } from '../../../../core/model/entities';
import { getNames } from '../../../../core/model/resourceName';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import type { OrganizationStore } from '../../../../core/stores/organizationStore';
import { promptForName } from '../../../platform/promptForName';
import type { FleetTools } from '../../../platform/fleetTools';
import { pickOne } from '../../../platform/prompts';
import { toQuickPickText } from '../../../platform/toQuickPickText';
import { requireRight } from '../../../platform/requireRight';
import { resolveTarget } from '../../../platform/resolveTarget';
import { copyText } from '../../../platform/statusMessage';
import { promptForNamespace } from '../promptForNamespace';
import { promptForSetting } from '../promptForSetting';
import { backOnCancel } from '../backOnCancel';
import { regionPrompt } from './setLocationRegion';

interface SettingItem extends vscode.QuickPickItem {
  /** True if the item changes the organization instead of copying a value. */
  readonly changes: boolean;
  readonly edit: () => Promise<void>;
}

/**
 * Lists the settings of an organization. After the user edits a selected setting, shows the list
 * again.
 */
export async function openOrganizationSettings(
  tools: FleetTools,
  given: OrganizationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'organization', given);
  for (;;) {
    const organization = await stores.organizations.get(target.organizationId, { fresh: true });
    const chosen = await pickOne(createSettingItems(stores.organizations, organization), {
      title: vscode.l10n.t('Settings for Organization "{0}"', organization.name),
      placeholder: vscode.l10n.t('Select a setting to change it'),
    });
    await backOnCancel(async () => {
      if (chosen.changes) await requireRight(stores, target, 'administer');
      await chosen.edit();
    });
  }
}

function createSettingItems(
  organizations: OrganizationStore,
  organization: Organization,
): readonly SettingItem[] {
  const { id, name, region, crmId } = organization;
  return [
    item({
      icon: 'tag',
      label: vscode.l10n.t('Name'),
      value: name,
      changes: true,
      edit: async () => {
        await promptForName({
          title: vscode.l10n.t('Rename Organization'),
          prompt: vscode.l10n.t('New name of the organization "{0}"', name),
          current: name,
          siblings: getNames(await organizations.list()),
          submit: (value) => organizations.rename(id, value),
        });
      },
    }),
    namespaceItem(organizations, organization),
    item({
      icon: 'globe',
      label: vscode.l10n.t('Region'),
      value: region,
      changes: true,
      edit: () =>
        promptForSetting({
          title: vscode.l10n.t('Region of Organization "{0}"', name),
          prompt: regionPrompt(),
          current: region,
          submit: async (value) => {
            await organizations.update(id, { region: value });
          },
        }),
    }),
    item({
      icon: 'briefcase',
      label: vscode.l10n.t('CRM ID'),
      value: crmId,
      changes: true,
      edit: () =>
        promptForSetting({
          title: vscode.l10n.t('CRM ID of Organization "{0}"', name),
          prompt: vscode.l10n.t(
            'ID of the organization in your customer relationship system (optional)',
          ),
          current: crmId,
          submit: async (value) => {
            await organizations.update(id, { crmId: value });
          },
        }),
    }),
    item({
      icon: 'copy',
      label: vscode.l10n.t('Organization ID'),
      value: id,
      detail: vscode.l10n.t('Select to copy.'),
      changes: false,
      edit: () => copyText(id),
    }),
  ];
}

/**
 * Returns the item for the namespace. An existing namespace can only be copied, which the item's
 * text explains.
 */
function namespaceItem(organizations: OrganizationStore, organization: Organization): SettingItem {
  const { publicNamespace } = organization;
  const common = {
    icon: 'symbol-namespace',
    label: vscode.l10n.t('Public Namespace'),
    value: publicNamespace,
  };
  return publicNamespace === ''
    ? item({
        ...common,
        detail: vscode.l10n.t("The namespace can be set only once and can't be changed afterward."),
        changes: true,
        edit: () => promptForNamespace(organizations, organization),
      })
    : item({
        ...common,
        detail: vscode.l10n.t("Already set and can't be changed. Select it to copy it."),
        changes: false,
        edit: () => copyText(publicNamespace),
      });
}

interface Setting extends Pick<SettingItem, 'changes' | 'edit'> {
  readonly icon: string;
  readonly label: string;
  readonly value: string;
  readonly detail?: string;
}

function item({ icon, label, value, ...rest }: Setting): SettingItem {
  const description = value === '' ? vscode.l10n.t('not set') : toQuickPickText(value);
  return { label: `$(${icon}) ${label}`, description, ...rest };
}
