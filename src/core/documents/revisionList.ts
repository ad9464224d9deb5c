import type { Editor, HistoryEntry, HistoryRequest, Page } from '../model/entities';
import type { VersionToken } from '../model/timestamp';
import type { Snapshot } from './configSource';
import { findJsonChanges, type JsonChange } from './jsonText';

/** Returns one page of edits, newest first. */
export type HistorySource = (request: HistoryRequest) => Promise<Page<HistoryEntry>>;

/**
 * Identifies a document's state: the current state, or the state that the edit with this version
 * replaced. Later edits don't invalidate the key.
 */
export type RevisionKey = 'current' | VersionToken;

/** A document's state: the result of an edit. */
export interface Revision {
  readonly key: RevisionKey;
  /** Time and author of this state; both undefined for the initial state. */
  readonly madeOn: VersionToken | undefined;
  readonly editor: Editor | undefined;
  readonly name: string;
  /** The config's text; undefined if the service didn't store it. */
  readonly text: string | undefined;
  /** Changes that the edit made; undefined for the first state and if either text is missing. */
  readonly changes: readonly JsonChange[] | undefined;
  readonly renamedFrom: string | undefined;
}

/**
 * Converts edits, each with the text before it, to states, each with the resulting text. Includes
 * the oldest state only if there is no next page, because the next page would contain its author.
 */
export function listRevisions(
  current: Snapshot,
  entries: readonly HistoryEntry[],
  complete: boolean,
): Revision[] {
  const states = [
    { key: 'current' as RevisionKey | undefined, name: current.name, text: current.text },
    ...entries.map(({ editedOn, old }) => ({
      key: editedOn,
      name: old?.name ?? '',
      text: old?.configText,
    })),
  ];
  const shown = complete ? states : states.slice(0, -1);
  return shown.flatMap((state, index): Revision[] => {
    const edit = entries[index];
    const before = states[index + 1];
    if (state.key === undefined) return [];
    return [
      {
        key: state.key,
        madeOn: edit?.editedOn,
        editor: edit?.editor,
        name: state.name,
        text: state.text,
        changes: before && changesBetween(before.text, state.text),
        renamedFrom: before?.name && before.name !== state.name ? before.name : undefined,
      },
    ];
  });
}

/**
 * Reads the history page by page to find the state that the edit with version `key` replaced.
 * @returns undefined if the history doesn't contain the edit or no longer contains it.
 */
export async function findReplacedState(
  history: HistorySource,
  key: VersionToken,
  signal?: AbortSignal,
): Promise<HistoryEntry['old'] | undefined> {
  let pageToken: string | undefined;
  do {
    const page: Page<HistoryEntry> = await history({ pageToken, limit: SEARCH_PAGE, signal });
    const found = page.items.find((entry) => entry.editedOn === key);
    if (found) return found.old;
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  return undefined;
}

const SEARCH_PAGE = 100;

/** Size of the first page. Conflicts are about recent edits, so usually the first entry matches. */
const RECENT_PAGE = 5;

/**
 * Finds the edit that resulted in `text`. Skips entries that don't change the content, such as
 * renames and visibility changes.
 * @param isSameContent compares two contents as appropriate for the document's wire format
 * @returns undefined if the history doesn't contain the edit
 */
export async function findContentEdit(
  history: HistorySource,
  text: string,
  isSameContent: (left: string, right: string) => boolean,
  signal?: AbortSignal,
): Promise<HistoryEntry | undefined> {
  let pageToken: string | undefined;
  do {
    const page: Page<HistoryEntry> = await history({ pageToken, limit: RECENT_PAGE, signal });
    for (const entry of page.items) {
      // If the text before the edit is missing, this entry or any earlier one might have changed
      // the content.
      if (!entry.old) return undefined;
      if (!isSameContent(entry.old.configText, text)) return entry;
    }
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  return undefined;
}

function changesBetween(
  before: string | undefined,
  after: string | undefined,
): readonly JsonChange[] | undefined {
  if (before === undefined || after === undefined) return undefined;
  return findJsonChanges(before, after);
}
