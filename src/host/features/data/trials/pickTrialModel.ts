import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import type { OrganizationId } from '../../../../core/model/ids';
import type { RegistryItem } from '../../../../core/model/registryItem';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { formatDateTime } from '../../../platform/formatDateTime';
import { pickStep } from '../../../platform/pickStep';
import { escapeIcons, toQuickPickText } from '../../../platform/toQuickPickText';

/** Version of a model in the registry. */
export interface ModelVersion {
  readonly item: RegistryItem;
  readonly version: string;
}

interface VersionItem extends vscode.QuickPickItem {
  readonly model: ModelVersion;
}

/**
 * Prompts for a model of an organization and for its version. Throws `canceled`, and `notFound` if
 * there are no models.
 * @param last preselected version.
 */
export async function pickTrialModel(
  stores: FleetStores,
  organization: OrganizationId,
  title: string,
  last: ModelVersion | undefined,
): Promise<ModelVersion> {
  const answer = await pickStep(versionItems(stores, organization), {
    ...{ title, placeholder: vscode.l10n.t('Select a model and its version') },
    active: ({ model }) => model.item.id === last?.item.id && model.version === last.version,
  });
  if (answer.back) throw new FleetError('canceled', 'Canceled.');
  return answer.item.model;
}

/** Formats the name of a model and its version for display. */
export function formatModelVersion({ item, version }: ModelVersion): string {
  return `${toDisplayText(item.name)} ${toDisplayText(version)}`;
}

async function versionItems(
  { registry }: FleetStores,
  organization: OrganizationId,
): Promise<readonly VersionItem[]> {
  const listed = await registry.list(organization, { fresh: true });
  const models = await Promise.all(
    listed
      .filter(({ type }) => type === 'mlModel')
      .map((item) => (item.isBrief ? registry.get(item.id) : Promise.resolve(item))),
  );
  const items = models.flatMap((item) =>
    item.versions.map(({ version, createdAt }) => ({
      label: toQuickPickText(`${item.name} ${version}`),
      description: createdAt ? escapeIcons(formatDateTime(createdAt)) : '',
      model: { item, version },
    })),
  );
  if (items.length > 0) return items;
  throw new FleetError(
    'notFound',
    vscode.l10n.t('This organization has no trained model yet. Train one on a dataset first.'),
  );
}
