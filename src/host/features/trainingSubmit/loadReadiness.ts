import * as vscode from 'vscode';
import type { DatasetReadiness } from '../../../core/data/datasets/datasetReadiness';
import { readReadiness } from '../../../core/data/datasets/readDataset';
import type { DatasetId, OrganizationId } from '../../../core/model/ids';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { reading } from '../../platform/progress';

/** Checks a dataset, with cancelable progress. Throws `canceled` if the user cancels. */
export function loadReadiness(
  { binaryData }: Pick<FleetStores, 'binaryData'>,
  organizationId: OrganizationId,
  datasetId: DatasetId,
): Promise<DatasetReadiness> {
  return reading(vscode.l10n.t('Checking the dataset'), (signal, report) =>
    readReadiness(binaryData, { organizationId, datasetId }, { signal, onProgress: report }),
  );
}
