import type { ConfigSource, Snapshot } from '../../../core/documents/configSource';
import {
  type HistoryEntry,
  type HistorySource,
  listRevisions,
  type Revision,
  type RevisionKey,
} from '../../../core/documents/revisionList';

/** Number of revisions per page, enough to fill a screen; the service's default is 10. */
const PAGE_SIZE = 25;

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
   * Reloads the first page. If that fails, the history stays unchanged.
   * @throws FleetError
   */
  async load(signal?: AbortSignal): Promise<void> {
    const [current, page] = await Promise.all([
      this.source.read(signal),
      this.history({ limit: PAGE_SIZE, signal }),
    ]);
    this.current = current;
    this.entries = page.items;
    this.nextPageToken = page.nextPageToken;
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

  /** Returns the revision before the one with this key, if its text is available for comparison. */
  previousKey(key: RevisionKey): RevisionKey | undefined {
    const index = this.revisions.findIndex((revision) => revision.key === key);
    const entry = index < 0 ? undefined : this.entries[index];
    return entry?.old ? entry.editedOn : undefined;
  }
}
