import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { FleetError } from '../../../core/api/errors';
import { type RegistryItemId, registryItemId } from '../../../core/model/ids';
import type { KnownItemType, RegistryItem } from '../../../core/model/registryItem';
import type { RegistrySearch } from '../../../core/stores/registryRequests';
import type { RegistryStore } from '../../../core/stores/registryStore';

/** Search query. */
export interface RegistryRequest {
  readonly searchText: string;
  /** Types to include; empty for all. */
  readonly types: readonly KnownItemType[];
}

/** Number of items to display at a time. It is limited because longer lists are slow. */
const PAGE = 50;
const ID = /^[^:\s]+:\S+$/;

/** Registry items that match a query, loaded on demand. A new query replaces earlier ones. */
export class RegistryListing extends Disposable {
  private readonly changedEmitter = this.register(new Emitter<void>());
  readonly onDidChange = this.changedEmitter.event;
  private requestAbort = new AbortController();
  private read: readonly RegistryItem[] = [];
  private shown = 0;
  private working = 0;
  /** Cursor for the next page; undefined after the last page. */
  private next: RegistryItemId | undefined;

  constructor(private readonly store: Pick<RegistryStore, 'search' | 'get'>) {
    super();
    this.register({ dispose: () => this.requestAbort.abort() });
  }

  get items(): readonly RegistryItem[] {
    return this.read.slice(0, this.shown);
  }

  get isReading(): boolean {
    return this.working > 0;
  }

  /** True if there are more items than displayed. */
  get hasMore(): boolean {
    return this.read.length > this.shown;
  }

  /**
   * Starts a new search. Resolves when the first items are available or another search has started.
   * @throws FleetError
   */
  async startSearch(question: RegistryRequest): Promise<void> {
    this.requestAbort.abort();
    this.requestAbort = new AbortController();
    const { signal } = this.requestAbort;
    await this.work(signal, async () => {
      const [page, named] = await Promise.all([
        this.store.search(toRegistrySearch(question), signal),
        this.itemNamed(question, signal),
      ]);
      const others = page.items.filter(({ id }) => id !== named?.id);
      if (signal.aborted) return;
      this.read = named ? [named, ...others] : others;
      this.next = page.next;
      this.shown = PAGE;
      this.changedEmitter.fire();
      await this.readAhead(question, signal);
    });
  }

  /**
   * Loads more results of the last search.
   * @throws FleetError
   */
  async more(question: RegistryRequest): Promise<void> {
    const { signal } = this.requestAbort;
    this.shown += PAGE;
    this.changedEmitter.fire();
    await this.work(signal, () => this.readAhead(question, signal));
  }

  /**
   * Reads the next page to determine whether it contains more items, because services don't report
   * whether it does.
   */
  private async readAhead(question: RegistryRequest, signal: AbortSignal): Promise<void> {
    while (this.next !== undefined && this.read.length <= this.shown) {
      const page = await this.store.search(
        { ...toRegistrySearch(question), after: this.next },
        signal,
      );
      if (signal.aborted) return;
      const known = new Set(this.read.map(({ id }) => id));
      const added = page.items.filter(({ id }) => !known.has(id));
      this.read = [...this.read, ...added];
      // Prevents an infinite loop if a service starts over from the first page.
      this.next = added.length > 0 ? page.next : undefined;
    }
  }

  /**
   * Returns the item whose ID the user has entered. Anyone who knows the ID of an unlisted item can
   * see the item.
   */
  private async itemNamed(
    { searchText: words, types }: RegistryRequest,
    signal: AbortSignal,
  ): Promise<RegistryItem | undefined> {
    const id = words.trim();
    if (!ID.test(id)) return undefined;
    try {
      const item = await this.store.get(registryItemId(id), { signal });
      return types.length === 0 || types.some((type) => type === item.type) ? item : undefined;
    } catch (error) {
      if (!signal.aborted && error instanceof FleetError) return undefined;
      throw error;
    }
  }

  private async work(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    this.working += 1;
    this.changedEmitter.fire();
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.working -= 1;
      this.changedEmitter.fire();
    }
  }
}

function toRegistrySearch({ searchText: words, types }: RegistryRequest): RegistrySearch {
  return { searchText: words, types };
}
