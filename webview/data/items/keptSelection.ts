import type { ItemPlacement } from '../../../src/shared/data/items';
import { isBoolean, isListOf, isNumber, isShape, isString } from '../../../src/shared/guards';
import type { DataContext } from '../dataContext';
import { toFilterKey } from '../filter/toFilterKey';
import type { Shown } from '../tabView';
import type { ItemBoard } from './itemBoard';

/** The selection of a list, for when the panel comes back. */
interface SelectedItems {
  /** All that the filter selects; then there are no IDs. */
  readonly all: boolean;
  readonly ids: readonly string[];
  /** Where the last of them was, excluded. */
  readonly end: number;
  /** Key of the filter that lists them: under another one, "all" would mean other items. */
  readonly filter: string;
}

const isSelectedItems = isShape<SelectedItems>({
  all: isBoolean,
  ids: isListOf(isString),
  end: isNumber,
  filter: isString,
});

/** The IDs of more items would make the state of the panel too large. */
const MAX_ITEMS = 2_000;

/** Listings begin with the newest item: this many new items can precede a selected one. */
const MAX_NEWER_ITEMS = 1_000;

/**
 * Keeps which items of a list are selected, by their IDs: VS Code forgets panels out of sight, and places are
 * others once items came or were deleted. Larger selections than 2,000 items are kept only where they are all.
 */
export class KeptSelection {
  private readonly part: string;
  /** Until the selection is restored, an empty one is no choice of the person. */
  private isRestored = false;
  private asking = new AbortController();

  constructor(
    private readonly context: Pick<DataContext, 'host' | 'kept'>,
    private readonly board: ItemBoard,
    private readonly placement: ItemPlacement,
    private readonly shown: () => Shown,
  ) {
    this.part = `selection ${placement}`;
  }

  /** Takes over what is selected now. */
  async keep(): Promise<void> {
    if (!this.isRestored) return;
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    const { host, kept } = this.context;
    const { all, count, ranges } = this.board.selection;
    const { generation } = this.shown();
    const common = { all, end: ranges.at(-1)?.end ?? 0, filter: this.filterKey };
    if (all || count === 0 || count > MAX_ITEMS) {
      kept.set(this.part, all ? { ...common, ids: [] } : undefined);
      return;
    }
    const selection = { generation, placement: this.placement, ranges, all };
    const answer = await host.request('identifyItems', selection, signal).catch(() => undefined);
    // A newer selection, or hiding the panel, makes the response obsolete.
    if (answer && !signal.aborted) kept.set(this.part, { ...common, ids: answer.ids });
  }

  /**
   * Selects the items of the previous selection that still exist, unless the user has selected others or
   * applied another filter since.
   *
   * @param isWanted returns false once the list was replaced
   */
  async restore(generation: number, isWanted: () => boolean): Promise<void> {
    const selected = this.context.kept.get(this.part);
    const isFree = (): boolean => isWanted() && this.board.selection.count === 0;
    try {
      if (!isSelectedItems(selected) || selected.filter !== this.filterKey) return;
      const places = selected.all ? [] : await this.find(generation, selected, isFree);
      if (!isFree()) return;
      if (selected.all) this.board.selectAll();
      else this.board.selectPlaces(places);
    } finally {
      this.isRestored = true;
      if (isWanted()) await this.keep();
    }
  }

  private get filterKey(): string {
    const { filter } = this.shown();
    return filter ? toFilterKey(filter) : '';
  }

  private async find(
    generation: number,
    { ids, end }: SelectedItems,
    isWanted: () => boolean,
  ): Promise<readonly number[]> {
    const { host } = this.context;
    const request = { generation, placement: this.placement, ids, end: end + MAX_NEWER_ITEMS };
    for (;;) {
      const { places, isRead } = await host.request('findItems', request);
      if (isRead || places.length === ids.length || !isWanted()) return places;
    }
  }
}
