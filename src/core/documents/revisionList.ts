import type { Editor, Page } from '../model/history';
import type { VersionToken } from '../model/versionToken';
import type { Snapshot } from './configSource';
import { findJsonChanges, type JsonChange } from './jsonChanges';

/** One edit as the service tells it: it hands out what the document was **before** the edit. */
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

/** One page of edits, newest first. */
export type HistorySource = (request: HistoryRequest) => Promise<Page<HistoryEntry>>;

/**
 * Which state of a document: the present one, or the one that the edit of this version replaced. Edits
 * made later leave it valid.
 */
export type RevisionKey = 'current' | VersionToken;

/** A state of a document: what an edit made of it. */
export interface Revision {
  readonly key: RevisionKey;
  /** When and by whom this state was made; both undefined for what the document began with. */
  readonly madeOn: VersionToken | undefined;
  readonly editor: Editor | undefined;
  readonly name: string;
  /** Undefined when the service kept no text. */
  readonly text: string | undefined;
  /** What the edit changed; undefined for the first state and where a text is missing. */
  readonly changes: readonly JsonChange[] | undefined;
  readonly renamedFrom: string | undefined;
}

/**
 * Turns edits (each with the text before it) into states (each with the text it made). The oldest state
 * appears only when no page follows: its maker would be on the next one.
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
 * Finds the state that the edit of version `key` replaced, reading page after page.
 * @returns undefined when the history holds no such edit (any more).
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

/** Conflicts are about recent edits: usually the first entry is the one. */
const RECENT_PAGE = 5;

/**
 * Finds the edit that made `text` the content of a document. Entries that leave the content as it is, such
 * as those of a rename or of a changed visibility, are skipped.
 * @param isSameContent compares two texts by the measure of the document's carrier
 * @returns undefined when the history does not show it
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
      // Without the text before it, this entry or any earlier one may have changed the content.
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
