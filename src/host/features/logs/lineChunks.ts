import type { LogItem } from '../../../core/logs/logItem';
import type { ItemText, LineWords } from './lineText';

/** Few enough that others get a turn between two chunks. */
const ITEMS_IN_CHUNK = 500;

/** The text of items, piece by piece. @param report told how many items are in what was taken. */
export function* lineChunks(
  items: readonly LogItem[],
  textOf: ItemText,
  words: LineWords,
  report: (done: number) => void,
): Generator<string> {
  for (let start = 0; start < items.length; start += ITEMS_IN_CHUNK) {
    const chunk = items.slice(start, start + ITEMS_IN_CHUNK);
    yield chunk.map((item) => textOf(item, words)).join('');
    report(start + chunk.length);
  }
}
