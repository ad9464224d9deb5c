import * as vscode from 'vscode';
import { displayText } from '../../../../core/model/displayText';
import type { KnownItemType } from '../../../../core/model/registryItem';
import { namesOf } from '../../../../core/model/resourceName';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import { askName } from '../../../platform/askName';
import type { FleetTools } from '../../../platform/fleetTools';
import { askOne } from '../../../platform/prompts';
import { registryTypeText } from '../../../platform/registryText';
import { resolveTarget } from '../../../platform/resolveTarget';

/** Modules have a separate command, which also writes their manifest. */
const TYPES: readonly KnownItemType[] = ['mlModel', 'trainingScript', 'archive', 'slamMap'];

/** Registers the name of an item, to which versions are uploaded later. Throws `FleetError`. */
export async function createItem(
  tools: FleetTools,
  given: OrganizationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'organization', given, 'administer');
  const { connectionId, organizationId } = target;
  const item = { kind: 'registryItem', connectionId, organizationId } as const;
  const title = vscode.l10n.t('Create Registry Item');
  const { type } = await askOne(
    TYPES.map((one) => ({ type: one, label: registryTypeText(one) })),
    { title, placeholder: vscode.l10n.t('What kind of item do you want to create?') },
  );
  const name = await askName({
    title,
    prompt: vscode.l10n.t(
      'Name of the new {0} in "{1}" (letters, digits, dashes, and underscores)',
      registryTypeText(type),
      displayText(target.name),
    ),
    siblings: namesOf(await stores.registry.list(organizationId)),
    submit: async (chosen) => {
      await stores.registry.createItem(organizationId, chosen, type);
      return chosen;
    },
  });
  const created = (await stores.registry.list(organizationId)).find((one) => one.name === name);
  if (created) await tools.reveal({ ...item, itemId: created.id, itemType: type, name });
}
