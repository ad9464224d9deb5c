import * as vscode from 'vscode';
import { safeSegment } from '../../../../core/documents/safeSegment';
import { connectionId, datasetId, organizationId } from '../../../../core/model/ids';
import type { DatasetTarget } from '../../../../core/model/resourceTarget';
import { schemes } from '../../../../manifest/schemes';
import { isListOf, isString, parsedAs } from '../../../../shared/guards';

/**
 * Returns the URI of a dataset's readiness report, which can be generated again after a window
 * reload. The name is displayed in the tab.
 */
export function readinessUri(target: DatasetTarget): vscode.Uri {
  const file = vscode.l10n.t('{0} readiness', safeSegment(target.name));
  return vscode.Uri.from({
    scheme: schemes.readiness,
    authority: target.connectionId,
    path: `/${file}.txt`,
    query: JSON.stringify([target.organizationId, target.datasetId]),
  });
}

/** Returns the dataset of a readiness report without its name; undefined for any other URI. */
export function parseReadinessUri(uri: vscode.Uri): Omit<DatasetTarget, 'name'> | undefined {
  if (uri.scheme !== schemes.readiness || uri.authority === '') return undefined;
  const [organization, dataset] = parsedAs(uri.query, isListOf(isString)) ?? [];
  if (organization === undefined || dataset === undefined) return undefined;
  return {
    kind: 'dataset',
    connectionId: connectionId(uri.authority),
    organizationId: organizationId(organization),
    datasetId: datasetId(dataset),
  };
}
