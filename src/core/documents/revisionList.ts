import type { Editor, Page } from '../model/history';
import type { VersionToken } from '../model/versionToken';
import type { Snapshot } from './configSource';
import { findJsonChanges, type JsonChange } from './jsonChanges';

/** Edit as reported by the service, which returns the document **before** the edit. */
export interface HistoryEntry {
  readonly editedOn: VersionToken | undefined;
  readonly editor: Editor | undefined;
  readonly old: { readonly name: string; readonly configText: string } | undefined;
}

export interface HistoryRequest {
  readonly pageToken?: string | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Returns one page of edits, newest first. */
export type HistorySource = (request: HistoryRequest) => Promise<Page<HistoryEntry>>;

/**
 * Identifies a state of a document: the current one, or the one that the edit of this version
 * replaced. Later edits don't invalidate it.
 */
export type RevisionKey = 'current' | VersionToken;

/** State of a document: the result of an edit. */
export interface Revision {
  readonly key: RevisionKey;
  /** Time and author of this state; both undefined for the initial state. */
  readonly madeOn: VersionToken | undefined;
  readonly editor: Editor | undefined;
  readonly name: string;
  /** Undefined if the service stored no text. */
  readonly text: string | undefined;
  /** Changes of the edit; undefined for the first state and if a text is missing. */
  readonly changes: readonly JsonChange[] | undefined;
  readonly renamedFrom: string | undefined;
}

/**
 * Converts edits (each with the text before it) to states (each with the resulting text). Includes
 * the oldest state only if there is no next page, because its author would be on that page.
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
 * Finds the state that the edit of version `key` replaced, and reads page after page.
 * @returns undefined if the history doesn't contain the edit (anymore).
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

/** Conflicts are about recent edits: usually the first entry matches. */
const RECENT_PAGE = 5;

/**
 * Finds the edit that resulted in `text`. Skips entries that don't change the content, such as a
 * rename or a change of visibility.
 * @param isSameContent compares two texts as appropriate for the document's wire format
 * @returns undefined if the history doesn't contain it
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
      // Without the text before it, this entry or any earlier one can have changed the content.
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
