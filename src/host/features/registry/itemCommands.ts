import * as vscode from 'vscode';
import { toDisplayText } from '../../../core/model/displayText';
import type { KnownItemType, RegistryItem } from '../../../core/model/registryItem';
import { getNames } from '../../../core/model/resourceName';
import type { OrganizationTarget, RegistryItemTarget } from '../../../core/model/resourceTarget';
import {
  confirm,
  inputError,
  pickOne,
  promptForName,
  promptForText,
} from '../../platform/prompts/prompts';
import type { FleetTools } from '../../platform/fleetTools';
import { formatRegistryType } from '../../platform/text/registryText';
import { resolveTarget } from '../../platform/prompts/resolveTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { formatItemReference } from './itemPrompts';
import type { KnownVisibility } from '../../../core/model/entities';
import { formatNumber, toQuickPickText } from '../../platform/text/displayText';
import { showStatusMessage } from '../../platform/commands/statusMessage';
import { formatSameVisibility, visibilityRows } from '../../platform/text/visibilityRows';

/** Excludes modules, which have a separate command that also writes their manifest. */
const TYPES: readonly KnownItemType[] = ['mlModel', 'trainingScript', 'archive', 'slamMap'];

/** Registers an item's name. Versions are uploaded to the item later. Throws `FleetError`. */
export async function createItem(
  tools: FleetTools,
  requestedTarget: OrganizationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(
    tools,
    'organization',
    requestedTarget,
    'administer',
  );
  const { connectionId, organizationId } = target;
  const item = { kind: 'registryItem', connectionId, organizationId } as const;
  const title = vscode.l10n.t('Create Registry Item');
  const { type } = await pickOne(
    TYPES.map((one) => ({ type: one, label: formatRegistryType(one) })),
    { title, placeholder: vscode.l10n.t('What kind of item do you want to create?') },
  );
  const name = await promptForName({
    title,
    prompt: vscode.l10n.t(
      'Name of the new {0} in "{1}" (letters, digits, dashes, and underscores)',
      formatRegistryType(type),
      toDisplayText(target.name),
    ),
    siblings: getNames(await stores.registry.list(organizationId)),
    submit: async (chosen) => {
      await stores.registry.createItem(organizationId, chosen, type);
      return chosen;
    },
  });
  const created = (await stores.registry.list(organizationId)).find((one) => one.name === name);
  if (created) await tools.reveal({ ...item, itemId: created.id, itemType: type, name });
}

/** Changes an item's short description; all other metadata remains unchanged. */
export async function changeDescription(
  tools: FleetTools,
  requestedTarget: RegistryItemTarget | undefined,
): Promise<void> {
  const { item, stores } = await itemToChange(tools, requestedTarget);
  await promptForText({
    title: vscode.l10n.t('Edit Description'),
    prompt: vscode.l10n.t('Describe the purpose of {0} in one sentence', formatItemReference(item)),
    value: item.description,
    validate: () => undefined,
    submit: (text) => stores.registry.updateItem(item, { description: text.trim() }),
  });
}

/** Changes the URL of an item's documentation or code; all other metadata remains unchanged. */
export async function changeUrl(
  tools: FleetTools,
  requestedTarget: RegistryItemTarget | undefined,
): Promise<void> {
  const { item, stores } = await itemToChange(tools, requestedTarget);
  await promptForText({
    title: vscode.l10n.t('Edit Website'),
    prompt: vscode.l10n.t('URL of the documentation and code for {0}', formatItemReference(item)),
    value: item.url,
    placeholder: 'https://',
    validate: (value) => (isWebAddress(value.trim()) ? undefined : inputError(notAnAddress())),
    submit: (url) => stores.registry.updateItem(item, { url: url.trim() }),
  });
}

async function itemToChange(
  tools: FleetTools,
  requestedTarget: RegistryItemTarget | undefined,
): Promise<{ readonly item: RegistryItem; readonly stores: FleetStores }> {
  const { target, stores } = await resolveTarget(
    tools,
    'registryItem',
    requestedTarget,
    'administer',
  );
  return { item: await stores.registry.get(target.itemId, { fresh: true }), stores };
}

/**
 * Returns true if the service accepts a value: an empty string, or a URL that a browser can open.
 */
function isWebAddress(value: string): boolean {
  if (value === '') return true;
  const protocol = URL.canParse(value) ? new URL(value).protocol : '';
  return protocol === 'https:' || protocol === 'http:';
}

function notAnAddress(): string {
  return vscode.l10n.t('Enter a URL that starts with https://, or leave the field empty.');
}

/** Changes who can see and use an item; all other metadata remains unchanged. */
export async function changeVisibility(
  tools: FleetTools,
  requestedTarget: RegistryItemTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(
    tools,
    'registryItem',
    requestedTarget,
    'administer',
  );
  const read = () => stores.registry.get(target.itemId, { fresh: true });
  const [before, organization] = await Promise.all([
    read(),
    stores.organizations.get(target.organizationId),
  ]);
  const { visibility } = await pickOne(visibilityRows(before.visibility, organization.name), {
    title: vscode.l10n.t('Change Visibility of "{0}"', toQuickPickText(before.name)),
    placeholder: vscode.l10n.t('Who can see and use it?'),
  });
  // Another user might have changed the visibility while the list was open.
  const [item, listed] = await Promise.all([
    read(),
    stores.registry.list(target.organizationId, { fresh: true }),
  ]);
  if (visibility === item.visibility) {
    showStatusMessage(formatSameVisibility(item.name, visibility));
    return;
  }
  const status = listed.find(({ id }) => id === item.id)?.status;
  await confirm(
    formatQuestion(item, visibility),
    [...describeConsequences(item, visibility), ...describeSideEffects({ ...item, status })].join(
      ' ',
    ),
    formatActionLabel(visibility),
  );
  await stores.registry.updateItem(item, { visibility });
}

function formatQuestion(item: RegistryItem, next: KnownVisibility): string {
  switch (next) {
    case 'private':
      return vscode.l10n.t(
        'Hide {0} from everyone outside its organization?',
        formatItemReference(item),
      );
    case 'public':
      return vscode.l10n.t('Make {0} visible to everyone?', formatItemReference(item));
    case 'publicUnlisted':
      return vscode.l10n.t(
        'Make {0} visible to anyone who knows its ID?',
        formatItemReference(item),
      );
  }
}

function formatActionLabel(next: KnownVisibility): string {
  switch (next) {
    case 'private':
      return vscode.l10n.t('Make Private');
    case 'public':
      return vscode.l10n.t('Make Public');
    case 'publicUnlisted':
      return vscode.l10n.t('Make Public and Unlisted');
  }
}

function describeConsequences(item: RegistryItem, next: KnownVisibility): readonly string[] {
  if (next !== 'private') {
    if (item.visibility !== 'private') return [];
    return [
      vscode.l10n.t('People outside the organization can then download all of its versions.'),
    ];
  }
  const { otherOrganizationsUsing: others = 0, otherMachinesUsing: machines = 0 } = item;
  if (others === 0) return [vscode.l10n.t('No other organization uses it.')];
  return [
    others === 1
      ? vscode.l10n.t('1 other organization uses it and will no longer be able to download it.')
      : vscode.l10n.t(
          '{0} other organizations use it and will no longer be able to download it.',
          formatNumber(others),
        ),
    machines === 1
      ? vscode.l10n.t('1 of their machines keeps its current version.')
      : vscode.l10n.t('{0} of their machines keep their current version.', formatNumber(machines)),
  ];
}

/** Describes side effects. Updating an item publishes it unless the item is a draft. */
function describeSideEffects({ status, isDraft = false }: RegistryItem): readonly string[] {
  return status === 'inDevelopment' && !isDraft
    ? [vscode.l10n.t('The item is in development. This change marks it as published.')]
    : [];
}
