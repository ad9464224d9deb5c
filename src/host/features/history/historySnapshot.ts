import type { Revision } from '../../../core/documents/revisionList';
import type { Editor } from '../../../core/model/history';
import { versionToMilliseconds } from '../../../core/model/versionToken';
import type { HistoryRow, HistorySnapshot } from '../../../shared/history';
import { changeText, type ChangeWords } from './changeText';
import type { DocumentHistory } from './documentHistory';

interface SnapshotWords extends ChangeWords {
  editor(editor: Editor | undefined): string;
}

/** Converts a history for the panel: plain values that can be sent to a webview. */
export function historySnapshot(
  history: DocumentHistory,
  place: string,
  words: SnapshotWords,
): HistorySnapshot {
  return {
    title: history.name,
    place,
    hasMore: history.hasMore,
    rows: history.revisions.map((revision) => rowOf(revision, history, words)),
  };
}

function rowOf(revision: Revision, history: DocumentHistory, words: SnapshotWords): HistoryRow {
  const { key, madeOn, editor, text } = revision;
  const previousKey = history.previousKey(key);
  return {
    key,
    ...(madeOn !== undefined && { madeOn: versionToMilliseconds(madeOn) }),
    editor: words.editor(editor),
    ...changeText(revision, words),
    current: key === 'current',
    available: text !== undefined,
    ...(previousKey !== undefined && { previousKey }),
  };
}
