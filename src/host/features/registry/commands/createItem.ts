import * as vscode from 'vscode';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import type { KnownItemType } from '../../../../core/model/registryItem';
import { getNames } from '../../../../core/model/resourceName';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import { promptForName } from '../../../platform/promptForName';
import type { FleetTools } from '../../../platform/fleetTools';
import { pickOne } from '../../../platform/prompts';
import { formatRegistryType } from '../../../platform/registryText';
import { resolveTarget } from '../../../platform/resolveTarget';

/** Excludes modules, which have a separate command that also writes their manifest. */
const TYPES: readonly KnownItemType[] = ['mlModel', 'trainingScript', 'archive', 'slamMap'];

/** Registers the name of an item. Versions are uploaded to the item later. Throws `FleetError`. */
export async function createItem(
  tools: FleetTools,
  given: OrganizationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'organization', given, 'administer');
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
