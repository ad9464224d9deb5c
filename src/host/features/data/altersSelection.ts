import type { BinaryChange } from '../../../core/stores/binaryDataStore';
import type { DataFilter } from '../../../shared/data/dataFilter';

/** Returns true if a change can affect which items match a filter, not only their appearance. */
export function altersSelection(
  { kind }: Pick<BinaryChange, 'kind'>,
  { tagsMode, labels, dataset }: Pick<DataFilter, 'tagsMode' | 'labels' | 'dataset'>,
): boolean {
  switch (kind) {
    case 'tags':
      return tagsMode !== 'any';
    case 'boxes':
      return labels.length > 0;
    case 'datasets':
      // The service also represents dataset membership as a tag of the item (spec part 1,
      // datasets).
      return dataset !== '' || tagsMode !== 'any';
    case 'deleted':
    case 'uploaded':
      return true;
  }
}
