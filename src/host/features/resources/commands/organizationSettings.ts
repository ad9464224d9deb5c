import * as vscode from 'vscode';
import type { Organization } from '../../../../core/model/entities';
import { getNames } from '../../../../core/model/resourceName';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import type { OrganizationStore } from '../../../../core/stores/organizationStore';
import {
  confirm,
  type InputProblem,
  pickOne,
  promptForName,
  promptForText,
} from '../../../platform/prompts/prompts';
import type { FleetTools } from '../../../platform/fleetTools';
import { toQuickPickText } from '../../../platform/text/displayText';
import { requireRight } from '../../../platform/permissions/requireRight';
import { resolveTarget } from '../../../platform/prompts/resolveTarget';
import { copyText } from '../../../platform/commands/statusMessage';
import { backOnCancel, promptForSetting, regionPrompt } from './promptForSetting';
import { systemSleep } from '../../../../base/clock';
import { FleetError } from '../../../../core/api/errors';
import { NamespaceCheck, type NamespaceState } from '../../../../core/stores/namespaceCheck';

interface SettingItem extends vscode.QuickPickItem {
  /** True if the item changes the organization instead of copying a value. */
  readonly changes: boolean;
  readonly edit: () => Promise<void>;
}

/**
 * Lists an organization's settings. After the user edits a selected setting, shows the list again.
 */
export async function openOrganizationSettings(
  tools: FleetTools,
  requestedTarget: OrganizationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'organization', requestedTarget);
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
          prompt: vscode.l10n.t('New name for the organization "{0}"', name),
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

/**
 * Prompts for the public namespace of an organization that has none. Checks availability as the
 * user types, and sets the namespace after the user confirms. Throws `canceled`.
 */
async function promptForNamespace(
  organizations: OrganizationStore,
  { id, name }: Pick<Organization, 'id' | 'name'>,
): Promise<void> {
  const check = new NamespaceCheck(
    (namespace, options) => organizations.isNamespaceAvailable(namespace, options),
    systemSleep,
  );
  try {
    await promptForText({
      title: vscode.l10n.t('Public Namespace of "{0}"', name),
      prompt: vscode.l10n.t(
        'The namespace is the prefix for everything that the organization publishes, and can be set only once. Use lowercase letters, digits, and dashes.',
      ),
      placeholder: 'acme-robotics',
      validate: (value) => toNamespaceProblem(value, check.getState(value)),
      onDidChangeValidity: check.onDidChange,
      submit: async (value) => {
        requireFree(value, await check.waitForState(value));
        await confirm(
          vscode.l10n.t('Set the public namespace of "{0}" to "{1}"?', name, value),
          vscode.l10n.t("The namespace can be set only once and can't be changed afterward."),
          vscode.l10n.t('Set Namespace'),
        );
        await organizations.update(id, { publicNamespace: value });
      },
    });
  } finally {
    check.dispose();
  }
}

function toNamespaceProblem(value: string, state: NamespaceState): InputProblem {
  switch (state.kind) {
    case 'empty':
      return { message: vscode.l10n.t('Enter a namespace.'), severity: 'error' };
    case 'characters':
      return {
        message: vscode.l10n.t(
          'A namespace can contain only lowercase letters, digits, and dashes.',
        ),
        severity: 'error',
      };
    case 'checking':
      return {
        message: vscode.l10n.t('Checking whether "{0}" is available…', value),
        severity: 'info',
      };
    case 'available':
      return {
        message: vscode.l10n.t('"{0}" is available. Press Enter to set it.', value),
        severity: 'info',
      };
    case 'taken':
      return { message: formatTaken(value), severity: 'error' };
    case 'failed':
      // Pressing Enter repeats the check.
      return { message: state.error.message, severity: 'warning' };
  }
}

function requireFree(value: string, state: NamespaceState): void {
  if (state.kind === 'failed') throw state.error;
  if (state.kind === 'taken') throw new FleetError('invalid', formatTaken(value));
}

function formatTaken(value: string): string {
  return vscode.l10n.t('"{0}" is taken by another organization.', value);
}
