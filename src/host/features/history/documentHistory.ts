import type { ConfigSource, Snapshot } from '../../../core/documents/configSource';
import {
  type HistorySource,
  listRevisions,
  type Revision,
  type RevisionKey,
} from '../../../core/documents/revisionList';
import { compactJson, type JsonChange } from '../../../core/documents/jsonText';
import type { HistoryEntry, Editor, Page } from '../../../core/model/entities';
import { versionToMilliseconds } from '../../../core/model/timestamp';
import type { HistoryRow, HistorySnapshot } from '../../../shared/history';

/** Number of revisions per page, enough to fill a screen; the service's default is 10. */
const PAGE_SIZE = 25;
/** Maximum number of revisions per page during a reload. */
const MAX_PAGE_SIZE = 100;

/** Loaded revisions of one document. */
export class DocumentHistory {
  private current: Snapshot | undefined;
  private entries: readonly HistoryEntry[] = [];
  private nextPageToken = '';

  constructor(
    private readonly source: Pick<ConfigSource, 'read'>,
    private readonly history: HistorySource,
  ) {}

  /** Revisions, newest first. */
  get revisions(): readonly Revision[] {
    return this.current ? listRevisions(this.current, this.entries, !this.hasMore) : [];
  }

  get hasMore(): boolean {
    return this.nextPageToken !== '';
  }

  /** Current name of the document. */
  get name(): string {
    return this.current?.name ?? '';
  }

  find(key: string): Revision | undefined {
    return this.revisions.find((revision) => revision.key === key);
  }

  /**
   * Loads the first page, or reloads as many revisions as were loaded, so that a reload doesn't
   * remove rows that the user is reading. If that fails, the history remains unchanged.
   * @throws FleetError
   */
  async load(signal?: AbortSignal): Promise<void> {
    const [current, page] = await Promise.all([
      this.source.read(signal),
      this.readPages(this.entries.length, signal),
    ]);
    this.current = current;
    this.entries = page.items;
    this.nextPageToken = page.nextPageToken;
  }

  /** Reads at least one page and at least `count` revisions, unless there are fewer. */
  private async readPages(count: number, signal?: AbortSignal): Promise<Page<HistoryEntry>> {
    const items: HistoryEntry[] = [];
    let pageToken: string | undefined;
    do {
      const limit = Math.min(Math.max(count - items.length, PAGE_SIZE), MAX_PAGE_SIZE);
      const page: Page<HistoryEntry> = await this.history({ pageToken, limit, signal });
      items.push(...page.items);
      pageToken = page.nextPageToken;
    } while (pageToken !== '' && items.length < count);
    return { items, nextPageToken: pageToken };
  }

  /**
   * Loads one more page.
   * @throws FleetError
   */
  async loadMore(signal?: AbortSignal): Promise<void> {
    if (!this.hasMore) return;
    const { nextPageToken: pageToken } = this;
    const page = await this.history({ pageToken, limit: PAGE_SIZE, signal });
    this.entries = [...this.entries, ...page.items];
    this.nextPageToken = page.nextPageToken;
  }

  /**
   * Returns the key of the revision that precedes the given one, if its text is available for
   * comparison.
   */
  previousKey(key: RevisionKey): RevisionKey | undefined {
    const index = this.revisions.findIndex((revision) => revision.key === key);
    const entry = index < 0 ? undefined : this.entries[index];
    return entry?.old ? entry.editedOn : undefined;
  }
}

/** Phrases that describe changes. */
export interface ChangeLabels {
  readonly firstVersion: string;
  readonly unknown: string;
  readonly onlyLayout: string;
  readonly wholeDocument: string;
  renamed(from: string, to: string): string;
  added(where: string): string;
  removed(where: string): string;
  changed(where: string): string;
  andMore(first: string, others: number): string;
  more(hidden: number): string;
}

/** Description of an edit's changes. */
export interface ChangeSummary {
  /** One-line summary. */
  readonly summary: string;
  /**
   * All changes, one per line, up to a limit. If there are more, the last line gives their number.
   */
  readonly details: readonly string[];
}

const NAMED_LISTS = new Set(['components', 'services', 'modules', 'processes', 'remotes', 'jobs']);
const MAX_DETAILS = 50;
const MAX_VALUE_LENGTH = 60;

export function describeChange(revision: Revision, labels: ChangeLabels): ChangeSummary {
  const { changes, renamedFrom, name, madeOn } = revision;
  const renamed = renamedFrom === undefined ? [] : [labels.renamed(renamedFrom, name)];
  if (changes === undefined) {
    const otherwise = madeOn === undefined ? labels.firstVersion : labels.unknown;
    return { summary: renamed[0] ?? otherwise, details: renamed };
  }
  const lines = [...renamed, ...changes.map((change) => changeLine(change, change.path, labels))];
  const [change] = changes;
  const first = renamed[0] ?? (change && changeLine(change, shortPath(change.path), labels));
  if (first === undefined) return { summary: labels.onlyLayout, details: [] };
  const others = lines.length - 1;
  const hidden = lines.length - MAX_DETAILS;
  return {
    summary: others === 0 ? first : labels.andMore(first, others),
    details: hidden > 0 ? [...lines.slice(0, MAX_DETAILS), labels.more(hidden)] : lines,
  };
}

/** Omits less important keys: the list that contains a component, and `attributes`. */
function shortPath(path: readonly string[]): readonly string[] {
  const named = path.length > 1 && NAMED_LISTS.has(path[0] ?? '') ? path.slice(1) : path;
  return named.filter((key, index) => index === 0 || key !== 'attributes');
}

function changeLine(
  { kind, before, after }: JsonChange,
  path: readonly string[],
  labels: ChangeLabels,
): string {
  const where = path.length === 0 ? labels.wholeDocument : path.join(' › ');
  const [from, to] = [shortValue(before), shortValue(after)];
  switch (kind) {
    case 'added':
      return to === undefined ? labels.added(where) : `${labels.added(where)}: ${to}`;
    case 'removed':
      return labels.removed(where);
    case 'changed':
      return from === undefined || to === undefined
        ? labels.changed(where)
        : `${where}: ${from} → ${to}`;
  }
}

function shortValue(value: string | undefined): string | undefined {
  const compact = value === undefined ? undefined : compactJson(value);
  return compact !== undefined && compact.length <= MAX_VALUE_LENGTH ? compact : undefined;
}

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
