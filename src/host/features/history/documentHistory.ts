import type { ConfigSource, Snapshot } from '../../../core/documents/configSource';
import {
  type HistoryEntry,
  type HistorySource,
  listRevisions,
  type Revision,
  type RevisionKey,
} from '../../../core/documents/revisionList';

/** Enough for a screen; the service's own default is 10. */
const PAGE_SIZE = 25;

/** The states of one document, as far as they are loaded. */
export class DocumentHistory {
  private current: Snapshot | undefined;
  private entries: readonly HistoryEntry[] = [];
  private nextPageToken = '';

  constructor(
    private readonly source: Pick<ConfigSource, 'read'>,
    private readonly history: HistorySource,
  ) {}

  /** Newest first. */
  get revisions(): readonly Revision[] {
    return this.current ? listRevisions(this.current, this.entries, !this.hasMore) : [];
  }

  get hasMore(): boolean {
    return this.nextPageToken !== '';
  }

  /** The document's own name now. */
  get name(): string {
    return this.current?.name ?? '';
  }

  find(key: string): Revision | undefined {
    return this.revisions.find((revision) => revision.key === key);
  }

  /** Reads the first page again. Nothing changes when it fails. @throws FleetError */
  async load(signal?: AbortSignal): Promise<void> {
    const [current, page] = await Promise.all([
      this.source.read(signal),
      this.history({ limit: PAGE_SIZE, signal }),
    ]);
    this.current = current;
    this.entries = page.items;
    this.nextPageToken = page.nextPageToken;
  }

  /** Reads one more page. @throws FleetError */
  async loadMore(signal?: AbortSignal): Promise<void> {
    if (!this.hasMore) return;
    const { nextPageToken: pageToken } = this;
    const page = await this.history({ pageToken, limit: PAGE_SIZE, signal });
    this.entries = [...this.entries, ...page.items];
    this.nextPageToken = page.nextPageToken;
  }

  /** The state before `key`'s, whose text it can be compared with. */
  previousKey(key: RevisionKey): RevisionKey | undefined {
    const index = this.revisions.findIndex((revision) => revision.key === key);
    const entry = index < 0 ? undefined : this.entries[index];
    return entry?.old ? entry.editedOn : undefined;
  }
}
