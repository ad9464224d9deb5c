import * as vscode from 'vscode';
import { datasetFilter } from '../../../core/model/captureFilter';
import { toDisplayText } from '../../../core/model/displayText';
import { getNames } from '../../../core/model/resourceName';
import type { DatasetTarget, OrganizationTarget } from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { promptForName } from '../../platform/prompts/prompts';
import { confirmDeletion } from '../../platform/prompts/confirmDeletion';
import type { FleetTools } from '../../platform/fleetTools';
import { formatNumber } from '../../platform/text/displayText';
import { resolveTarget } from '../../platform/prompts/resolveTarget';

export async function createDataset(
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
  const created = await promptForName({
    title: vscode.l10n.t('Create Dataset'),
    prompt: vscode.l10n.t('Name of the new dataset in "{0}"', toDisplayText(target.name)),
    siblings: getNames(await stores.datasets.list(organizationId)),
    submit: async (name) => ({ name, id: await stores.datasets.create(organizationId, name) }),
  });
  await tools.reveal({
    kind: 'dataset',
    connectionId,
    organizationId,
    datasetId: created.id,
    name: created.name,
  });
}

export async function renameDataset(
  tools: FleetTools,
  requestedTarget: DatasetTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'dataset', requestedTarget, 'administer');
  const { datasetId, organizationId } = target;
  const { name: current } = await stores.datasets.get(datasetId);
  await promptForName({
    title: vscode.l10n.t('Rename Dataset'),
    prompt: vscode.l10n.t('New name for the dataset "{0}"', toDisplayText(current)),
    current,
    siblings: getNames(await stores.datasets.list(organizationId)),
    submit: (name) => stores.datasets.rename({ id: datasetId, organizationId }, name),
  });
}

/** Deletes a dataset, but not its items, after the user has typed its name. */
export async function deleteDataset(
  tools: FleetTools,
  requestedTarget: DatasetTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'dataset', requestedTarget, 'administer');
  const { datasetId, organizationId } = target;
  const [organization, consequence] = await Promise.all([
    stores.organizations.get(organizationId),
    describeRemainingItems(stores, target),
  ]);
  await confirmDeletion({
    title: vscode.l10n.t('Delete Dataset'),
    name: target.name,
    id: datasetId,
    organization,
    consequences: [consequence],
  });
  await stores.datasets.delete({ id: datasetId, organizationId });
}

async function describeRemainingItems(
  { binaryData }: FleetStores,
  { organizationId, datasetId }: DatasetTarget,
): Promise<string> {
  const { count } = await binaryData.count(datasetFilter(organizationId, datasetId));
  if (count === 0) return vscode.l10n.t('It is empty.');
  return count === 1
    ? vscode.l10n.t("The item in the dataset won't be deleted.")
    : vscode.l10n.t("The {0} items in the dataset aren't deleted.", formatNumber(count));
}
