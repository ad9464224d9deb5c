import { element } from '../ui/elements';
import { RowCache } from '../ui/table/rowCache';
import type { TableRow } from '../ui/table/tableRow';
import { VirtualRows } from '../ui/virtualRows';
import type { AmountText } from './amountText';
import type { Arrangement } from './arrangement';
import type { ResultsContext } from './resultsContext';
import { type TreeByKeys, listenToTreeKeys } from './treeKeys';
import { drawTreeLine } from './treeLine';
import { type TreeLine, TreeModel } from './treeModel';

export interface ResultTreeOptions {
  /** Begins the ids of what is in it; no other on the page has it. */
  readonly id: string;
  readonly context: ResultsContext;
  readonly arrangement: Arrangement;
  readonly amounts: AmountText;
  readonly fetchRows: (start: number, end: number) => Promise<readonly TableRow[]>;
  readonly columnCount: () => number;
  readonly nameOf: (column: string) => string;
  /** Shows a row as a whole. */
  readonly view: (place: number) => void;
  readonly copy: (place: number) => void;
  readonly failed: (error: unknown) => void;
}

/** Values of a list or object that are read at once. */
const AT_ONCE = 200;

/** The rows of a result as a tree of JSON, of which only what is seen is in the document. */
export class ResultTree implements TreeByKeys {
  readonly element: HTMLElement;
  private readonly rows: VirtualRows;
  private readonly model = new TreeModel();
  private readonly cache: RowCache<TableRow>;
  /** The line of the keyboard. */
  private cursor = 0;
  private life = new AbortController();

  constructor(private readonly options: ResultTreeOptions) {
    const { id, context, fetchRows, failed, columnCount } = options;
    const { tree } = context.strings;
    this.cache = new RowCache({
      ...{ fetchRows, onFailure: failed, cellsPerRow: columnCount },
      onRows: () => this.rows.refresh(),
    });
    const attributes = { role: 'tree', 'aria-label': tree.label, 'aria-describedby': `${id}-keys` };
    this.rows = new VirtualRows(attributes, {
      groupRole: 'presentation',
      onWindow: (start, end) => this.prepare(start, end),
      rowAt: (line) => this.draw(line),
      onDrawn: () => this.markActive(),
      onFollowing: (follows) => follows && this.rows.stay(),
      onStart: () => undefined,
    });
    this.rows.stay();
    const { element: scroller } = this.rows;
    scroller.classList.add('tree-lines');
    const keys = element('div', { class: 'visually-hidden', id: `${id}-keys` }, tree.keys);
    this.element = element('div', { class: 'result-tree' }, scroller, keys);
    this.element.hidden = true;
    scroller.addEventListener('click', (event) => this.clicked(event));
    listenToTreeKeys(scroller, this);
  }

  get rowsPerPage(): number {
    return Math.max(1, this.rows.rowsPerPage - 1);
  }

  /** Shows it or not. What is not seen reads nothing. */
  setShown(shown: boolean): void {
    this.element.hidden = !shown;
    this.grow();
  }

  /** Other rows are at all places. */
  rearranged(): void {
    this.life.abort();
    this.life = new AbortController();
    this.model.clear();
    this.cache.clear();
    this.cursor = 0;
    this.rows.change({ first: 0, end: 0, moves: [], anew: true });
    this.grow();
  }

  /** More rows may have come. */
  grow(): void {
    if (this.element.hidden) return;
    const { count } = this.options.arrangement;
    this.model.setCount(count);
    this.cache.setEnd(count);
    this.resize();
  }

  retry(): void {
    this.cache.retry();
    this.rows.refresh();
  }

  stop(): void {
    this.life.abort();
  }

  focus(): void {
    this.rows.element.focus();
  }

  /** Opens a row and brings it into sight. */
  async reveal(place: number): Promise<void> {
    if (!this.model.isOpen(place, [])) await this.open(place, []);
    this.go(this.model.lineOf(place), 'start');
    this.focus();
  }

  step(lines: number): void {
    const last = this.model.total - 1;
    if (last >= 0) this.go(Math.min(Math.max(this.cursor + lines, 0), last));
  }

  enter(): void {
    const line = this.model.at(this.cursor);
    if (!line) return;
    if (line.type === 'more') this.showMore(line);
    else if (line.isOpen) this.step(1);
    else this.toggle();
  }

  leave(): void {
    const line = this.model.at(this.cursor);
    if (!line) return;
    if (line.type !== 'more' && line.isOpen) this.toggle();
    else if (line.type === 'node') this.goTo(line.node.place, line.node.path.slice(0, -1));
    else if (line.type === 'more') this.goTo(line.place, line.path);
  }

  toggle(): void {
    const line = this.model.at(this.cursor);
    if (line?.type === 'row') this.openOrClose(line.place, [], line.isOpen);
    else if (line?.type === 'more') this.showMore(line);
    else if (line && isBranch(line)) {
      this.openOrClose(line.node.place, line.node.path, line.isOpen);
    }
  }

  view(): void {
    const line = this.model.at(this.cursor);
    if (line?.type === 'more') this.showMore(line);
    else if (line) this.options.view(rowOf(line));
  }

  copy(): void {
    const line = this.model.at(this.cursor);
    if (line) this.options.copy(rowOf(line));
  }

  private openOrClose(place: number, path: readonly string[], isOpen: boolean): void {
    if (!isOpen) {
      void this.open(place, path);
      return;
    }
    this.model.close(place, path);
    this.resize();
  }

  private showMore({ place, path }: Extract<TreeLine, { type: 'more' }>): void {
    void this.open(place, path);
  }

  /** Reads what is within a row or value, or more of it. */
  private async open(place: number, path: readonly string[]): Promise<void> {
    const { context, arrangement, failed } = this.options;
    const { signal } = this.life;
    const start = this.model.known(place, path);
    try {
      const found = await context.host.request(
        'resultNodes',
        { ...arrangement.view, place, path, start, end: start + AT_ONCE },
        signal,
      );
      // Asked for twice, it is there already.
      if (signal.aborted || this.model.known(place, path) !== start) return;
      this.model.add(place, path, found);
      this.resize();
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }

  private goTo(place: number, path: readonly string[]): void {
    this.go(this.model.lineOf(place, path));
  }

  private go(line: number, alignment: 'nearest' | 'start' = 'nearest'): void {
    this.cursor = line;
    this.rows.scrollTo(line, alignment);
    this.rows.refresh();
  }

  /** Lines have come or gone. */
  private resize(): void {
    this.rows.change({ first: 0, end: this.model.total, moves: [], anew: false });
  }

  private clicked({ target }: MouseEvent): void {
    const line = target instanceof Element ? target.closest<HTMLElement>('.tree-line') : null;
    if (!line) return;
    this.cursor = Number(line.dataset.line);
    this.markActive();
    this.toggle();
  }

  private prepare(start: number, end: number): void {
    const places: number[] = [];
    for (let line = start; line < end; line += 1) {
      const shown = this.model.at(line);
      if (shown?.type === 'row') places.push(shown.place);
    }
    const [first, last] = [places[0], places.at(-1)];
    if (first !== undefined && last !== undefined) this.cache.want(first, last + 1);
  }

  private draw(number: number): HTMLElement {
    const { id, context, amounts, arrangement, nameOf } = this.options;
    const line = this.model.at(number);
    if (!line) return element('div', { role: 'presentation', class: 'tree-line' });
    return drawTreeLine(line, number, {
      ...{ id, strings: context.strings, amounts, nameOf, rows: arrangement.count },
      rowAt: (place) => this.cache.at(place),
    });
  }

  private markActive(): void {
    const { element: scroller } = this.rows;
    const id = `${this.options.id}-${this.cursor}`;
    for (const line of scroller.querySelectorAll('.tree-line')) {
      const isActive = line.id === id;
      line.classList.toggle('active-line', isActive);
      line.setAttribute('aria-selected', String(isActive));
      if (isActive) scroller.setAttribute('aria-activedescendant', id);
    }
    if (!scroller.querySelector('.active-line')) scroller.removeAttribute('aria-activedescendant');
  }
}

function rowOf(line: TreeLine): number {
  return line.type === 'node' ? line.node.place : line.place;
}

function isBranch(line: Extract<TreeLine, { type: 'node' }>): boolean {
  const { kind, size = 0 } = line.node;
  return (kind === 'list' || kind === 'object') && size > 0;
}
