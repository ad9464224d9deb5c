import { isQueryLanguage } from '../../../../shared/query/editor';
import type { HistoryEntry } from '../../../../shared/query/queryPanel';

/**
 * Converts rows of the history file to entries. Skips unreadable rows that another version wrote.
 */
export function historyRows(
  rows: readonly Readonly<Record<string, unknown>>[],
): readonly HistoryEntry[] {
  return rows.flatMap(({ id, language, text, at, rows: count, elapsed_ms: elapsed }) => {
    if (!isQueryLanguage(language) || typeof text !== 'string' || typeof at !== 'number') return [];
    return [
      {
        ...{ id: String(id), language, text, at },
        ...(typeof count === 'number' && { rows: count }),
        ...(typeof elapsed === 'number' && { elapsedMs: elapsed }),
      },
    ];
  });
}
