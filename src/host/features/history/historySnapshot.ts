import type { Revision } from '../../../core/documents/revisionList';
import type { Editor } from '../../../core/model/entities';
import { versionToMilliseconds } from '../../../core/model/timestamp';
import type { HistoryRow, HistorySnapshot } from '../../../shared/history';
import { type ChangeLabels, describeChange, type DocumentHistory } from './documentHistory';

interface SnapshotLabels extends ChangeLabels {
  editor(editor: Editor | undefined): string;
}

/** Converts a history for the panel to plain values that can be sent to a webview. */
export function historySnapshot(
  history: DocumentHistory,
  path: string,
  labels: SnapshotLabels,
): HistorySnapshot {
  return {
    title: history.name,
    path,
    hasMore: history.hasMore,
    rows: history.revisions.map((revision) => toHistoryRow(revision, history, labels)),
  };
}

function toHistoryRow(
  revision: Revision,
  history: DocumentHistory,
  labels: SnapshotLabels,
): HistoryRow {
  const { key, madeOn, editor, text } = revision;
  const previousKey = history.previousKey(key);
  return {
    key,
    ...(madeOn !== undefined && { madeOn: versionToMilliseconds(madeOn) }),
    editor: labels.editor(editor),
    ...describeChange(revision, labels),
    current: key === 'current',
    available: text !== undefined,
    ...(previousKey !== undefined && { previousKey }),
  };
}
