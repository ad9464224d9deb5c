import * as vscode from 'vscode';
import type { RegistryItem } from '../../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { FleetTools } from '../../../platform/fleetTools';
import { promptForText, inputError } from '../../../platform/prompts';
import { resolveTarget } from '../../../platform/resolveTarget';
import { formatItemReference } from '../registryNames';

/** Changes the short description of an item; all other metadata stays unchanged. */
export async function changeDescription(
  tools: FleetTools,
  given: RegistryItemTarget | undefined,
): Promise<void> {
  const { item, stores } = await itemToChange(tools, given);
  await promptForText({
    title: vscode.l10n.t('Change Description'),
    prompt: vscode.l10n.t('Describe the purpose of {0} in one sentence', formatItemReference(item)),
    value: item.description,
    validate: () => undefined,
    submit: (text) => stores.registry.updateItem(item, { description: text.trim() }),
  });
}

/** Changes the URL of an item's documentation or code; all other metadata stays unchanged. */
export async function changeUrl(
  tools: FleetTools,
  given: RegistryItemTarget | undefined,
): Promise<void> {
  const { item, stores } = await itemToChange(tools, given);
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
  given: RegistryItemTarget | undefined,
): Promise<{ readonly item: RegistryItem; readonly stores: FleetStores }> {
  const { target, stores } = await resolveTarget(tools, 'registryItem', given, 'administer');
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
