import type { LogItem } from '../../../core/logs/logItem';
import type { FormatItem, LineLabels } from './lineText';

/** Number of items per chunk, small enough that other work can run between chunks. */
const ITEMS_IN_CHUNK = 500;

/**
 * Yields the text of items in chunks.
 * @param report called with the number of items in the consumed chunks.
 */
export function* lineChunks(
  items: readonly LogItem[],
  formatItem: FormatItem,
  labels: LineLabels,
  report: (done: number) => void,
): Generator<string> {
  for (let start = 0; start < items.length; start += ITEMS_IN_CHUNK) {
    const chunk = items.slice(start, start + ITEMS_IN_CHUNK);
    yield chunk.map((item) => formatItem(item, labels)).join('');
    report(start + chunk.length);
  }
}
