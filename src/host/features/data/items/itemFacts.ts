import * as vscode from 'vscode';
import type { BinaryItem } from '../../../../core/model/binaryItem';
import { toMilliseconds } from '../../../../core/model/micros';
import type { ItemFact } from '../../../../shared/data/items';
import { formatNumber } from '../../../platform/quantityText';
import { type DatasetNames, getItemFileName } from './itemViews';

/** Returns all metadata of an item as written by its uploader, without empty values. */
export function itemFacts(item: BinaryItem, datasets: DatasetNames): readonly ItemFact[] {
  const { source } = item;
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    [vscode.l10n.t('Captured'), formatIsoTime(item.at)],
    [vscode.l10n.t('Received'), formatIsoTime(item.receivedAt ?? 0)],
    [vscode.l10n.t('File Name'), getItemFileName(item)],
    [vscode.l10n.t('MIME Type'), item.mimeType],
    [vscode.l10n.t('Size'), vscode.l10n.t('{0} bytes', formatNumber(item.sizeBytes))],
    [vscode.l10n.t('Tags'), item.tags.join('\n')],
    [vscode.l10n.t('Labels'), item.classifications.map(({ label }) => label).join('\n')],
    [vscode.l10n.t('Datasets'), item.datasetIds.map((id) => datasets.get(id) ?? id).join('\n')],
    [vscode.l10n.t('Component'), source.componentName],
    [vscode.l10n.t('Component Type'), source.componentType],
    [vscode.l10n.t('Method'), source.method],
    [vscode.l10n.t('Machine'), source.machineName],
    [vscode.l10n.t('Part'), source.partName],
    [vscode.l10n.t('Machine ID'), source.machineId],
    [vscode.l10n.t('Part ID'), source.partId],
    [vscode.l10n.t('Location ID'), source.locationId],
    [vscode.l10n.t('Organization ID'), source.organizationId],
    [vscode.l10n.t('Binary Data ID'), item.id],
  ];
  return facts.flatMap(([name, value]) => (value ? [{ name, value }] : []));
}

/** Formats a time to the microsecond, if the service provides that precision. */
function formatIsoTime(micros: number): string | undefined {
  if (micros === 0) return undefined;
  const text = new Date(toMilliseconds(micros)).toISOString();
  const rest = String(Math.round(micros % 1000)).padStart(3, '0');
  return text.replace('Z', rest === '000' ? 'Z' : `${rest}Z`);
}
