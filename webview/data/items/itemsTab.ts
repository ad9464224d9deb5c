import * as l10n from '@vscode/l10n';
import type {
  IndexRange,
  ItemPlacement,
  ItemView,
  SelectionRef,
} from '../../../src/shared/data/items';
import { createRecoveryHandlers } from '../../messaging/hostConnection';
import { element } from '../../ui/elements';
import { createSelectionBar, type SelectionBar } from '../actions/selectionBar';
import type { DataContext } from '../dataContext';
import { toFilterKey } from '../filter/filterView';
import type { Shown, TabView } from '../tabBar';
import { Review } from '../trials/review';
import { BoardStatus } from './boardStatus';
import { BoardTools, getItemsViewState, saveItemsViewState, type TileSize } from './boardTools';
import { DetailFrame } from './detail/detailFrame';
import { createStage } from './detail/stages';
import { ItemBoard, type ItemBoardOptions } from './itemBoard';
import { itemHeader, ItemRow } from './itemCell';
import { type ItemFormatter, createItemFormatter } from './createItemFormatter';
import {
  type FetchItems,
  findSavedItem,
  getSavedItem,
  saveItem,
  ScrollAnchor,
} from './scrollAnchor';
import { SavedSelection } from './savedSelection';
import { ThumbnailBoard } from './thumbnailBoard';

/** Media query for screens that have enough space for the details next to an open item. */
const WIDE = '(min-width: 1100px)';

type BoardHooks = Omit<ItemBoardOptions, 'layout' | 'cellWidth' | 'makeCell' | 'seenChanged'>;

/**
 * The items of one kind: a grid of images or a list of point clouds or files, and the open item.
 */
export class ItemsTab implements TabView {
  readonly element: HTMLElement;
  private readonly text: ItemFormatter;
  private readonly board: ItemBoard;
  private readonly thumbnails: ThumbnailBoard | undefined;
  private readonly tools: BoardTools;
  private readonly bar: SelectionBar;
  private readonly status: BoardStatus;
  private readonly top: ScrollAnchor;
  private readonly savedSelection: SavedSelection;
  private readonly list: HTMLElement;
  private readonly header: HTMLElement | undefined;
  private detail: DetailFrame | undefined;
  /**
   * The review of proposed labels; only for images, because models can't propose labels for other
   * items.
   */
  private readonly review: Review | undefined;
  private shown: Shown = { generation: 0, count: undefined };
  private comesBack = true;

  constructor(
    private readonly context: DataContext,
    private readonly placement: ItemPlacement,
  ) {
    const { locale, onDidChangeItems, viewStates } = context;
    this.text = createItemFormatter(locale);
    const actions = createRecoveryHandlers(context.host, () => this.readAgain());
    this.status = new BoardStatus(context, this.text, actions);
    this.thumbnails =
      placement === 'images' ? new ThumbnailBoard(context, this.boardHooks()) : undefined;
    this.board = this.thumbnails?.board ?? this.listBoard();
    this.top = new ScrollAnchor(this.board, viewStates, placement);
    this.savedSelection = new SavedSelection(context, this.board, placement, () => this.shown);
    this.tools = new BoardTools({
      thumbnails: this.thumbnails !== undefined,
      setSize: (size) => this.setSize(size),
      setBoxes: (shown) => this.setBoxes(shown),
      selectAll: () => {
        this.board.selectAll();
        // Focus the list, because the keys for item actions work only there.
        this.board.focus();
      },
    });
    this.header = this.thumbnails ? undefined : itemHeader();
    this.bar = createSelectionBar(context, this.board, placement, () => this.selection);
    const { state, problem, progress } = this.status;
    this.list = element(
      'div',
      { class: 'items-list' },
      element('h2', { class: 'visually-hidden' }, getListNames()[placement]),
      this.tools.element,
      problem,
      this.header,
      this.board.element,
      state,
      this.bar.element,
      progress,
    );
    this.review =
      placement === 'images'
        ? new Review(context, {
            opened: () => void this.openReview(),
            closed: () => this.closeReview(),
          })
        : undefined;
    this.element = element('div', { class: 'items' }, this.list, this.review?.element);
    const { size = 'medium', boxes = false } = getItemsViewState(viewStates);
    this.setSize(size);
    this.setBoxes(boxes);
    onDidChangeItems((generation) => this.refresh(generation));
    this.present();
  }

  /** The selection in the format that the host expects. */
  get selection(): SelectionRef {
    return this.board.selection.ref(this.shown.generation, this.placement);
  }

  show(shown: Shown): void {
    const before = this.shown;
    this.shown = shown;
    const isSame = before.generation === shown.generation && before.count === shown.count;
    if (isSame) {
      this.board.refresh();
      return;
    }
    if (isRefresh(before, shown)) this.prepareRestoring();
    this.hideDetail();
    this.uncover();
    this.status.clear();
    this.board.reset(shown.count ?? 0);
    this.present();
    if (shown.count !== undefined && this.comesBack) void this.restoreView(shown.generation);
  }

  async leave(): Promise<boolean> {
    if (this.detail && !(await this.detail.leave())) return false;
    this.board.items.stop();
    this.thumbnails?.stop();
    return true;
  }

  focus(): void {
    if (this.detail?.isOpen) this.detail.focus();
    else if (this.review?.isOpen) this.review.focus();
    else this.board.focus();
  }

  hasActiveItems(): boolean {
    const isLarge = this.detail?.isOpen === true || this.review?.isOpen === true;
    return isLarge || this.board.selection.count > 0;
  }

  private boardHooks(): BoardHooks {
    const { context, placement } = this;
    return {
      label: getListNames()[placement],
      fetch: (start, end, signal) => {
        const { generation } = this.shown;
        return context.host.request('items', { generation, placement, start, end }, signal);
      },
      open: (item) => this.open(item),
      selectionChanged: () => this.selectionChanged(),
      reading: (read) => {
        this.status.showReading(read, this.shown.count ?? 0);
        if (read === undefined && !this.comesBack) this.top.save();
      },
      counted: (count) => {
        this.shown = { ...this.shown, count };
        this.present();
      },
      failed: (error) => this.status.showProblem(error),
    };
  }

  private listBoard(): ItemBoard {
    return new ItemBoard({
      ...this.boardHooks(),
      layout: 'rows',
      cellWidth: () => 0,
      makeCell: () => new ItemRow(this.text),
      seenChanged: () => undefined,
    });
  }

  private setSize(size: TileSize): void {
    this.thumbnails?.setSize(size);
    this.tools.showSize(size);
    saveItemsViewState(this.context.viewStates, { size });
  }

  private setBoxes(boxes: boolean): void {
    this.thumbnails?.setBoxes(boxes);
    this.tools.showBoxes(boxes);
    saveItemsViewState(this.context.viewStates, { boxes });
  }

  private present(): void {
    const { count } = this.shown;
    const isEmpty = count === undefined || count === 0;
    this.board.element.hidden = isEmpty;
    this.tools.element.hidden = isEmpty;
    if (this.header) this.header.hidden = isEmpty;
    this.status.showCount(this.shown);
  }

  private readAgain(): void {
    this.board.items.retry();
    this.board.focus();
  }

  private refresh(generation: number): void {
    if (generation !== this.shown.generation) return;
    this.board.items.renew();
    void this.detail?.update();
  }

  private selectionChanged(): void {
    const { selection, count: total } = this.board;
    this.bar.show({
      count: selection.count,
      total,
      isRestorable: this.savedSelection.isRestorable,
    });
    this.savedSelection.saveCurrent();
  }

  private open(item: ItemView): void {
    this.detail ??= this.makeDetail();
    this.cover();
    void this.detail.open(item);
  }

  /** Hides the list and makes it inert, but preserves its scroll position. */
  private cover(): void {
    this.list.inert = true;
    this.list.classList.add('covered');
    this.thumbnails?.stop();
  }

  /** Keeps the selection, the position, and the open item while the list is loaded again. */
  private prepareRestoring(): void {
    this.comesBack = true;
    this.top.pause();
    this.savedSelection.pause();
    this.detail?.hide();
  }

  /**
   * Restores the content that was visible when the panel was hidden or refreshed. Does so only
   * once, and only if the user hasn't navigated since.
   */
  private async restoreView(generation: number): Promise<void> {
    this.comesBack = false;
    const { context, placement } = this;
    const fetch: FetchItems = (start, end) =>
      context.host.request('items', { generation, placement, start, end });
    const isSame = (): boolean => generation === this.shown.generation;
    // The list itself reports loading errors.
    await Promise.allSettled([this.top.restore(fetch, isSame), this.reopen(fetch, isSame)]);
    await this.savedSelection.restore(generation, isSame).catch(() => undefined);
  }

  private async reopen(fetch: FetchItems, isSame: () => boolean): Promise<void> {
    const { context, placement } = this;
    const saved = getSavedItem(context.viewStates, { role: 'large', placement });
    if (!saved) return;
    const found = await findSavedItem(saved, fetch).catch(() => undefined);
    // The next refresh reopens it.
    if (!isSame()) return;
    if (found && !this.hasActiveItems()) this.open(found);
    else if (!this.detail?.isOpen) this.saveLargeItem(undefined);
  }

  private saveLargeItem(item: ItemView | undefined): void {
    const { context, placement } = this;
    saveItem(context.viewStates, { role: 'large', placement }, item);
  }

  private makeDetail(): DetailFrame {
    const { context, placement, text } = this;
    const detail = new DetailFrame(context, {
      ...createStage(placement, context),
      text,
      itemAt: (index, signal) => this.itemAt(index, signal),
      count: () => this.shown.count ?? 0,
      download: ({ index: place }) => {
        const ranges = [{ start: place, end: place + 1 }];
        context.host.send('act', { action: 'download', selection: this.refTo(ranges) });
      },
      opened: (shown) => this.saveLargeItem(shown),
      closed: (index) => {
        this.saveLargeItem(undefined);
        this.uncover();
        this.board.show(index);
        this.focus();
      },
      factsShown: getItemsViewState(context.viewStates).facts ?? matchMedia(WIDE).matches,
      saveFactsShown: (facts) => saveItemsViewState(context.viewStates, { facts }),
    });
    this.element.append(detail.element);
    return detail;
  }

  private refTo(ranges: readonly IndexRange[]): SelectionRef {
    const { placement, shown } = this;
    return { generation: shown.generation, placement, ranges, all: false };
  }

  /** Shows the review instead of an open image, unless unsaved boxes keep the user on the image. */
  private async openReview(): Promise<void> {
    this.cover();
    if (this.detail?.isOpen) {
      // Until the image closes, it covers the review. Keys must not decide on proposals that aren't
      // visible.
      this.review?.setInert(true);
      const isLeft = await this.detail.leave().catch(() => false);
      if (!isLeft || !this.review?.isOpen) return;
    }
    this.hideDetail();
    this.uncover();
    this.review?.focus();
  }

  private closeReview(): void {
    if (this.detail?.isOpen) return;
    this.uncover();
    this.board.focus();
  }

  private hideDetail(): void {
    if (!this.detail?.isOpen) return;
    this.detail.hide();
    this.saveLargeItem(undefined);
  }

  /**
   * Called when no image is open. Makes the review, or the list if there is no review, usable
   * again.
   */
  private uncover(): void {
    if (this.review?.isOpen) {
      this.review.setInert(false);
      return;
    }
    this.list.inert = false;
    this.list.classList.remove('covered');
  }

  /** Returns the item at an index, which can be far from the loaded items. */
  private async itemAt(index: number, signal: AbortSignal): Promise<ItemView | undefined> {
    const known = this.board.items.at(index);
    if (known) return known;
    const { generation } = this.shown;
    const range = { generation, placement: this.placement, start: index, end: index + 1 };
    for (;;) {
      const { items, read, count } = await this.context.host.request('items', range, signal);
      if (items[0] || read > index || index >= count) return items[0];
    }
  }
}

/** Returns true if the same filter is applied again. */
function isRefresh(before: Shown, shown: Shown): boolean {
  if (before.generation === shown.generation || !before.filter || !shown.filter) return false;
  return toFilterKey(before.filter) === toFilterKey(shown.filter);
}

/** Returns the labels of the lists. */
function getListNames(): Readonly<Record<ItemPlacement, string>> {
  return { images: l10n.t('Images'), pointClouds: l10n.t('Point Clouds'), files: l10n.t('Files') };
}
