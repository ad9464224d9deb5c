import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { formatCell } from '../../../../core/data/tables/formatCell';
import { DataColumns } from '../../../../core/data/tables/dataColumns';
import { PAYLOAD_ROOT } from '../../../../core/data/readings/tableColumn';
import { seriesKey } from '../../../../core/data/readings/seriesKey';
import type { CaptureSource } from '../../../../core/model/binaryItem';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import { MICROS_PER_MILLISECOND } from '../../../../core/model/micros';
import type {
  Latest,
  LatestSource,
  LatestValue,
  ReadingListingRef,
} from '../../../../shared/data/readings';
import { getValueLabels } from '../../../platform/getValueLabels';
import type { ReadingListings, ReadingSession } from './readingListings';
import { resourceName } from './resourceName';

/**
 * Maximum number of values in a row of the latest values, because a payload can contain any number
 * of values.
 */
const MAX_VALUES = 50;

/** Latest readings of the resources that occur in the loaded readings. */
export class LatestReadings {
  constructor(
    private readonly session: ReadingSession,
    private readonly listings: ReadingListings,
  ) {}

  sources(ref: ReadingListingRef): { sources: readonly LatestSource[]; read: number } {
    const sources = [...this.getSources(ref)].map(([key, source]) => ({
      key,
      resource: resourceName(source),
      method: toDisplayText(source.method),
    }));
    sources.sort((a, b) => a.resource.localeCompare(b.resource, undefined, { numeric: true }));
    return { sources, read: this.listings.listing(ref).read.length };
  }

  /** @throws FleetError */
  async read(ref: ReadingListingRef, key: string, signal: AbortSignal): Promise<Latest> {
    const source = this.getSources(ref).get(key);
    if (!source)
      throw new FleetError(
        'notFound',
        vscode.l10n.t('This resource is not in the loaded readings.'),
      );
    const { stores } = this.session.of(ref.generation);
    const latest = await stores.readings.latest(source, signal);
    if (!latest) return { values: [] };
    const columns = new DataColumns(PAYLOAD_ROOT, MAX_VALUES);
    const labels = getValueLabels();
    const values: LatestValue[] = [];
    columns.read(latest.data, (column, value) => {
      const { name = '' } = columns.list[column] ?? {};
      values.push({ name: toDisplayText(shortName(name)), text: formatCell(value, labels) });
    });
    return { at: latest.at / MICROS_PER_MILLISECOND, values };
  }

  private getSources(ref: ReadingListingRef): ReadonlyMap<string, CaptureSource> {
    const { read } = this.listings.listing(ref);
    const sources = new Set(read.map(({ source }) => source));
    return new Map([...sources].map((source) => [seriesKey(source), source]));
  }
}

/** Returns a name without the prefix that all names share. */
function shortName(name: string): string {
  return name.replace(/^data\.(?:readings\.)?/, '');
}
