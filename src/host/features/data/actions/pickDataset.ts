import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import type { BulkTarget } from '../../../../core/data/actions/bulkAction';
import type { Dataset } from '../../../../core/model/dataset';
import { toDisplayText } from '../../../../core/model/displayText';
import type { OrganizationId } from '../../../../core/model/ids';
import { getNames } from '../../../../core/model/resourceName';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { pickOne, promptForName } from '../../../platform/prompts/prompts';
import { iconLabel, toQuickPickText } from '../../../platform/text/displayText';
import { listOrganizations } from './actionMessages';

interface DatasetChoice extends vscode.QuickPickItem {
  /** Absent for a new dataset. */
  readonly dataset?: Pick<Dataset, 'id' | 'name'>;
}

/** Prompts for a dataset of the items' organization. The user can create a new dataset. */
export async function pickDataset(
  stores: FleetStores,
  target: BulkTarget,
  { title, mayBeNew }: { readonly title: string; readonly mayBeNew: boolean },
): Promise<Pick<Dataset, 'id' | 'name'>> {
  const organization = oneOrganization(target);
  const listed = stores.datasets.list(organization, { fresh: true });
  const { dataset } = await pickOne(choices(listed, mayBeNew), {
    title,
    placeholder: vscode.l10n.t('Select the dataset'),
  });
  if (dataset) return dataset;
  return promptForName({
    title: vscode.l10n.t('Create Dataset'),
    prompt: vscode.l10n.t('Name of the new dataset'),
    siblings: getNames(await listed),
    submit: async (name) => ({ name, id: await stores.datasets.create(organization, name) }),
  });
}

async function choices(
  listed: Promise<readonly Dataset[]>,
  mayBeNew: boolean,
): Promise<readonly DatasetChoice[]> {
  const datasets = await listed;
  if (datasets.length === 0 && !mayBeNew) {
    throw new FleetError(
      'notFound',
      vscode.l10n.t('This organization has no datasets. Create one first.'),
    );
  }
  const known = datasets.map((dataset) => ({ label: toQuickPickText(dataset.name), dataset }));
  return mayBeNew ? [{ label: iconLabel('add', vscode.l10n.t('New Dataset…')) }, ...known] : known;
}

/**
 * Returns the items' only organization, because a dataset contains only items from its own
 * organization. Throws `invalid` if there is more than one.
 */
function oneOrganization(target: BulkTarget): OrganizationId {
  const [organization, other] = listOrganizations(target);
  if (organization !== undefined && other === undefined) return organization;
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      'These items belong to several organizations. A dataset can only contain items from one organization. Narrow the filter to a single organization.',
    ),
  );
}

/** Formats a dataset for a title. */
export function formatDataset({ name }: Pick<Dataset, 'name'>): string {
  return `"${toDisplayText(name)}"`;
}
