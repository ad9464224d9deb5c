import type { LocationId } from '../../../../core/model/ids';
import { readingsQuery, type Since } from '../../../../core/query/readingsQuery';
import type { DataFilter, DataInterval } from '../../../../shared/data/dataFilter';
import type { FilterField } from '../../../../shared/data/filterStrings';
import { tagCondition } from './captureFilterOf';

/** A query for what a filter selects. */
export interface FilterQuery {
  readonly text: string;
  /** What the filter asks for and the query does not: readings have no such column. */
  readonly unsaid: readonly FilterField[];
}

/**
 * The SQL that asks for the readings which a filter selects.
 * @param locations those of the filter with what is inside them
 * @param noteOf what stands above the query about what it does not say
 */
export function filterQuery(
  filter: DataFilter,
  locations: readonly LocationId[],
  noteOf: (unsaid: readonly FilterField[]) => string,
): FilterQuery {
  const { machine, part, componentName, componentType, method } = filter;
  const unsaid = unsaidFields(filter);
  const selection = {
    locations,
    ...{ machines: nonEmpty(machine), parts: nonEmpty(part) },
    ...{ componentName, componentType, method, tags: tagCondition(filter) },
    ...timesOf(filter.interval),
  };
  const notes = unsaid.length === 0 ? [] : [noteOf(unsaid)];
  return { text: readingsQuery(selection, notes), unsaid };
}

function nonEmpty(text: string): readonly string[] {
  return text === '' ? [] : [text];
}

function timesOf(interval: DataInterval): { since?: Since; before?: number | undefined } {
  switch (interval.kind) {
    case 'any':
      return {};
    case 'last':
      return { since: { minutesBack: interval.minutes } };
    case 'between': {
      const { start, end } = interval;
      return { ...(start !== undefined && { since: { at: start } }), before: end };
    }
  }
}

/** Names are those of the fleet, which readings do not have; the others are of images and files. */
function unsaidFields(filter: DataFilter): readonly FilterField[] {
  const { machineName, partName, mimeTypes, labels, dataset } = filter;
  return [
    ...(machineName === '' ? [] : (['machineName'] as const)),
    ...(partName === '' ? [] : (['partName'] as const)),
    ...(mimeTypes.length === 0 ? [] : (['mimeType'] as const)),
    ...(labels.length === 0 ? [] : (['labels'] as const)),
    ...(dataset === '' ? [] : (['dataset'] as const)),
  ];
}
