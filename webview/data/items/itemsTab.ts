import type { ItemPlacement, SelectionRef } from '../../../src/shared/data/items';
import { HostError } from '../../messaging/hostConnection';
import { element, progressRing } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { toolButton } from '../../ui/toolButton';
import type { DataContext } from '../dataContext';
import type { Shown, TabView } from '../tabView';
import { BoardTools } from './boardTools';
import { ItemBoard } from './itemBoard';
import { ItemRow } from './itemRow';
import { type ItemText, itemText } from './itemText';
import { ThumbnailBoard } from './thumbnailBoard';

/** The items of one place: a grid of images, or a list of point clouds or files. */
export class ItemsTab implements TabView {
  readonly element: HTMLElement;
  private readonly text: ItemText;
  private readonly board: ItemBoard;
  private readonly thumbnails: ThumbnailBoard | undefined;
  private readonly tools: BoardTools;
  private readonly state = element('div', { class: 'board-state', role: 'status' });
  private readonly problem = element('div', { class: 'board-problem', role: 'alert' });
  private readonly progress = element('div', { class: 'board-progress', role: 'status' });
  private shown: Shown = { generation: 0, count: undefined };

  constructor(
    private readonly context: DataContext,
    private readonly placement: ItemPlacement,
  ) {
    const { strings, locale } = context;
    this.text = itemText(strings.items, locale);
    const options = this.boardOptions();
    this.thumbnails = placement === 'images' ? new ThumbnailBoard(context, options) : undefined;
    this.board = this.thumbnails?.board ?? this.listBoard(options);
    this.tools = new BoardTools({
      strings: strings.items,
      thumbnails: this.thumbnails !== undefined,
      setSize: (size) => {
        this.thumbnails?.setSize(size);
        this.tools.showSize(size);
      },
      setBoxes: (shown) => {
        this.thumbnails?.setBoxes(shown);
        this.tools.showBoxes(shown);
      },
      selectAll: () => this.board.selectAll(),
      selectNothing: () => this.board.clearSelection(),
    });
    this.tools.showSize('medium');
    this.problem.hidden = true;
    this.element = element(
      'div',
      { class: 'items' },
      ...[this.tools.element, this.problem, this.board.element, this.state, this.progress],
    );
    context.itemNews.listen(({ generation, placement: changed, items }) => {
      if (generation === this.shown.generation && changed === placement) this.board.update(items);
    });
    this.present();
  }

  /** What is selected, as the host is told of it. */
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
    this.problem.hidden = true;
    this.board.reset(shown.count ?? 0);
    this.present();
  }

  leave(): Promise<boolean> {
    this.board.items.stop();
    this.thumbnails?.stop();
    return Promise.resolve(true);
  }

  focus(): void {
    this.board.focus();
  }

  private boardOptions(): ConstructorParameters<typeof ThumbnailBoard>[1] {
    const { context, placement } = this;
    return {
      label: context.strings.items.lists[placement],
      fetch: (start, end, signal) => {
        const { generation } = this.shown;
        return context.host.request('items', { generation, placement, start, end }, signal);
      },
      open: () => undefined,
      selectionChanged: () => this.selectionChanged(),
      reading: (read) => this.showReading(read),
      counted: (count) => {
        this.shown = { ...this.shown, count };
        this.present();
      },
      failed: (error) => this.showProblem(error),
    };
  }

  private listBoard(options: ConstructorParameters<typeof ThumbnailBoard>[1]): ItemBoard {
    const { strings } = this.context;
    return new ItemBoard({
      ...options,
      layout: 'rows',
      cellWidth: () => 0,
      makeCell: () => new ItemRow(strings.items, this.text),
      drawn: () => undefined,
    });
  }

  private present(): void {
    const { count } = this.shown;
    const { items } = this.context.strings;
    this.board.element.hidden = count === undefined || count === 0;
    this.tools.element.hidden = this.board.element.hidden;
    this.state.hidden = !this.board.element.hidden;
    this.state.replaceChildren(
      ...(count === undefined
        ? [progressRing(items.loading), element('span', {}, items.loading)]
        : [
            element('strong', {}, items.empty),
            element('span', { class: 'faint' }, items.emptyHint),
          ]),
    );
  }

  private selectionChanged(): void {
    const { count } = this.board.selection;
    this.tools.showSelected(this.text.selected(count), count > 0);
  }

  private showReading(read: number | undefined): void {
    const { text, shown, context } = this;
    const sentence = context.strings.items.reading;
    const said =
      read === undefined
        ? ''
        : fillPlaceholders(sentence, text.number(read), text.number(shown.count ?? 0));
    if (this.progress.textContent !== said) this.progress.textContent = said;
  }

  private showProblem(error: unknown): void {
    // Another filter is at work by now.
    if (error instanceof HostError && ['conflict', 'cancelled'].includes(error.kind)) return;
    const { items } = this.context.strings;
    const message = error instanceof Error ? error.message : String(error);
    const retry = (): void => {
      this.problem.hidden = true;
      this.board.items.retry();
      this.board.focus();
    };
    this.problem.replaceChildren(
      element('span', {}, fillPlaceholders(items.failed, message)),
      toolButton(items.retry, retry, { focusKey: 'retry items' }),
    );
    this.problem.hidden = false;
  }
}
