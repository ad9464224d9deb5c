import type { BinaryChange } from '../../../core/stores/binaryDataStore';
import type { DataFilter } from '../../../shared/data/dataFilter';

/** Returns true if a change can affect which items a filter selects, not only how they look. */
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
      // Membership is also visible as a tag of the item (spec part 1, datasets).
      return dataset !== '' || tagsMode !== 'any';
    case 'deleted':
    case 'uploaded':
      return true;
  }
}
