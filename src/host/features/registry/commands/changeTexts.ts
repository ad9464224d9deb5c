import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import type { RegistryItem } from '../../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';
import type { KnownVisibility } from '../../../../core/model/visibility';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { ItemUpdate } from '../../../../core/stores/registryRequests';
import type { FleetTools } from '../../../platform/fleetTools';
import { askText, inputError } from '../../../platform/prompts';
import { resolveTarget } from '../../../platform/resolveTarget';
import { itemText } from '../registryNames';

/** Changes the short description of an item; all else that is said about it stays. */
export async function changeDescription(
  tools: FleetTools,
  given: RegistryItemTarget | undefined,
): Promise<void> {
  const { item, stores } = await itemToChange(tools, given);
  await askText({
    title: vscode.l10n.t('Change Description'),
    prompt: vscode.l10n.t('What {0} is for, in a sentence', itemText(item)),
    value: item.description,
    validate: () => undefined,
    submit: (description) => update(stores, item, { description: description.trim() }),
  });
}

/** Changes where documentation and code of an item are; all else that is said about it stays. */
export async function changeUrl(
  tools: FleetTools,
  given: RegistryItemTarget | undefined,
): Promise<void> {
  const { item, stores } = await itemToChange(tools, given);
  await askText({
    title: vscode.l10n.t('Change Website'),
    prompt: vscode.l10n.t('Where documentation and code of {0} are', itemText(item)),
    value: item.url,
    placeholder: 'https://',
    validate: (value) => (isWebAddress(value.trim()) ? undefined : inputError(notAnAddress())),
    submit: (url) => update(stores, item, { url: url.trim() }),
  });
}

async function itemToChange(
  tools: FleetTools,
  given: RegistryItemTarget | undefined,
): Promise<{ readonly item: RegistryItem; readonly stores: FleetStores }> {
  const { target, stores } = await resolveTarget(tools, 'registryItem', given, 'administer');
  return { item: await stores.registry.get(target.itemId, { fresh: true }), stores };
}

async function update(
  { registry }: FleetStores,
  item: RegistryItem,
  changed: Partial<Pick<ItemUpdate, 'description' | 'url'>>,
): Promise<void> {
  const { description } = item;
  await registry.updateItem(item, { description, visibility: knownVisibility(item), ...changed });
}

/** @throws FleetError where a newer service has a visibility that would be lost by the update. */
function knownVisibility({ visibility }: RegistryItem): KnownVisibility {
  if (visibility !== 'unknown') return visibility;
  throw new FleetError(
    'unsupported',
    vscode.l10n.t('The item has a visibility that is not known here. Change it where it was made.'),
  );
}

/** The rule of the service: nothing, or an address that a browser opens. */
function isWebAddress(value: string): boolean {
  if (value === '') return true;
  const protocol = URL.canParse(value) ? new URL(value).protocol : '';
  return protocol === 'https:' || protocol === 'http:';
}

function notAnAddress(): string {
  return vscode.l10n.t('Type an address that begins with https://, or nothing.');
}
