import type { ResultNode } from '../../../src/shared/query/results';
import { element, focusWhenHere } from '../../ui/elements';
import { type RowMove, toNearestMovedIndex } from '../../ui/rowGeometry';
import { VirtualRows } from '../../ui/virtualRows';
import { type TreeLine, TreeModel } from './treeModel';

export interface NodeTreeOptions {
  /** Prefix for the IDs of the tree's elements; unique on the page. */
  readonly id: string;
  readonly label: string;
  /** Description of the tree's keys for screen readers. */
  readonly keys: string;
  /** Returns the number of roots. */
  readonly count: () => number;
  /** Loads the direct children of a root or value, starting with a given child. */
  readonly nodesAt: (
    at: { readonly rowIndex: number; readonly path: readonly string[]; readonly start: number },
    signal: AbortSignal,
  ) => Promise<{ readonly nodes: readonly ResultNode[]; readonly size: number }>;
  readonly drawLine: (line: TreeLine, number: number) => HTMLElement;
  /** Called before the roots from `first` up to and including `last` are drawn. */
  readonly prepare?: (first: number, last: number) => void;
  /** Called after lines were added or removed. */
  readonly onLines?: (total: number) => void;
  readonly view: (rowIndex: number) => void;
  readonly copy: (rowIndex: number) => void;
  /**
   * Handles Escape.
   * @returns false if Escape has no effect
   */
  readonly escape?: () => boolean;
  readonly failed: (error: unknown) => void;
}

/**
 * Values as a JSON tree that expands level by level. Only the visible lines are in the document.
 */
export class NodeTree implements TreeByKeys {
  readonly element: HTMLElement;
  readonly rows: VirtualRows;
  private readonly model = new TreeModel();
  /** Index of the active line. */
  private cursor = 0;
  private life = new AbortController();

  constructor(private readonly options: NodeTreeOptions) {
    const { id, label, keys: keysText } = options;
    const attributes = { role: 'tree', 'aria-label': label, 'aria-describedby': `${id}-keys` };
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
    const keys = element('div', { class: 'visually-hidden', id: `${id}-keys` }, keysText);
    this.element = element('div', { class: 'result-tree' }, scroller, keys);
    scroller.addEventListener('click', (event) => this.clicked(event));
    listenToTreeKeys(scroller, this);
  }

  get rowsPerPage(): number {
    return Math.max(1, this.rows.rowsPerPage - 1);
  }

  /** Resets the tree because all roots changed. */
  reset(): void {
    this.stop();
    this.life = new AbortController();
    this.model.clear();
    this.cursor = 0;
    this.rows.change({ first: 0, end: 0, moves: [], reset: true });
  }

  /** Updates the tree when more roots have arrived. */
  grow(): void {
    this.model.setCount(this.options.count());
    this.resize();
  }

  stop(): void {
    this.life.abort();
  }

  focus(): void {
    this.rows.element.focus();
  }

  /** Expands a root and scrolls it into view. */
  async reveal(rowIndex: number): Promise<void> {
    if (!this.model.isOpen(rowIndex, [])) await this.open(rowIndex, []);
    this.go(this.model.getLineIndex(rowIndex), 'start');
    focusWhenHere(() => this.focus());
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
    else if (line.type === 'node') this.goTo(line.node.rowIndex, line.node.path.slice(0, -1));
    else if (line.type === 'more') this.goTo(line.rowIndex, line.path);
  }

  escape(): boolean {
    return this.options.escape?.() ?? false;
  }

  toggle(): void {
    const line = this.model.at(this.cursor);
    if (line?.type === 'row') {
      this.openOrClose(line.rowIndex, [], line.isOpen);
    } else if (line?.type === 'more') {
      this.showMore(line);
    } else if (line && isBranch(line)) {
      this.openOrClose(line.node.rowIndex, line.node.path, line.isOpen);
    }
  }

  view(): void {
    const line = this.model.at(this.cursor);
    if (line?.type === 'more') this.showMore(line);
    else if (line) this.options.view(getRowIndex(line));
  }

  copy(): void {
    const line = this.model.at(this.cursor);
    if (line) this.options.copy(getRowIndex(line));
  }

  /** Loads the children of a root or value. If some children are already loaded, loads more. */
  async open(rowIndex: number, path: readonly string[]): Promise<void> {
    const { signal } = this.life;
    const start = this.model.known(rowIndex, path);
    try {
      const found = await this.options.nodesAt({ rowIndex, path, start }, signal);
      // Another request has already loaded these children.
      if (signal.aborted || this.model.known(rowIndex, path) !== start) return;
      const moves = [this.model.add(rowIndex, path, found)];
      this.cursor = toNearestMovedIndex(this.cursor, moves);
      this.resize(moves);
    } catch (error) {
      if (!signal.aborted) this.options.failed(error);
    }
  }

  private openOrClose(rowIndex: number, path: readonly string[], isOpen: boolean): void {
    if (!isOpen) {
      void this.open(rowIndex, path);
      return;
    }
    this.model.close(rowIndex, path);
    this.resize();
  }

  private showMore({ rowIndex, path }: Extract<TreeLine, { type: 'more' }>): void {
    void this.open(rowIndex, path);
  }

  private goTo(rowIndex: number, path: readonly string[]): void {
    this.go(this.model.getLineIndex(rowIndex, path));
  }

  private go(line: number, alignment: 'nearest' | 'start' = 'nearest'): void {
    this.cursor = line;
    this.rows.scrollTo(line, alignment);
    this.rows.refresh();
  }

  /** Called after lines were added or removed. */
  private resize(moves: readonly RowMove[] = []): void {
    const { total } = this.model;
    this.rows.change({ first: 0, end: total, moves, reset: false });
    this.options.onLines?.(total);
  }

  private clicked({ target }: MouseEvent): void {
    const line = target instanceof Element ? target.closest<HTMLElement>('.tree-line') : null;
    if (!line) return;
    this.cursor = Number(line.dataset.line);
    this.markActive();
    this.toggle();
  }

  private prepare(start: number, end: number): void {
    const rowIndexes: number[] = [];
    for (let line = start; line < end; line += 1) {
      const shown = this.model.at(line);
      if (shown?.type === 'row') rowIndexes.push(shown.rowIndex);
    }
    const [first, last] = [rowIndexes[0], rowIndexes.at(-1)];
    if (first !== undefined && last !== undefined) this.options.prepare?.(first, last);
  }

  private draw(number: number): HTMLElement {
    const line = this.model.at(number);
    if (line) return this.options.drawLine(line, number);
    return element('div', { role: 'presentation', class: 'tree-line' });
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

function getRowIndex(line: TreeLine): number {
  return line.type === 'node' ? line.node.rowIndex : line.rowIndex;
}

function isBranch(line: Extract<TreeLine, { type: 'node' }>): boolean {
  const { kind, size = 0 } = line.node;
  return (kind === 'list' || kind === 'object') && size > 0;
}

/** Tree actions that keys trigger. */
interface TreeByKeys {
  readonly rowsPerPage: number;
  step(lines: number): void;
  /** Expands a collapsed line; on an expanded line, moves to its first child. */
  enter(): void;
  /** Collapses an expanded line; on a collapsed line, moves to its parent. */
  leave(): void;
  toggle(): void;
  view(): void;
  copy(): void;
  /** @returns false if Escape has no effect. */
  escape(): boolean;
}

const FAR = Number.MAX_SAFE_INTEGER;

/** Implements the keyboard interaction of the ARIA tree pattern. Handled keys don't propagate. */
function listenToTreeKeys(target: HTMLElement, tree: TreeByKeys): void {
  target.addEventListener('keydown', (event) => {
    if (event.target !== target || event.altKey) return;
    const act = findKeyAction(event, tree);
    if (!act || act() === false) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function findKeyAction(event: KeyboardEvent, tree: TreeByKeys): (() => unknown) | undefined {
  const { key, ctrlKey, metaKey } = event;
  if (ctrlKey || metaKey) {
    const isCopy = key.toLowerCase() === 'c' && window.getSelection()?.isCollapsed !== false;
    if (isCopy) return () => tree.copy();
    if (key === 'Home') return () => tree.step(-FAR);
    return key === 'End' ? () => tree.step(FAR) : undefined;
  }
  const acts: Readonly<Record<string, () => unknown>> = {
    ArrowUp: () => tree.step(-1),
    ArrowDown: () => tree.step(1),
    PageUp: () => tree.step(-tree.rowsPerPage),
    PageDown: () => tree.step(tree.rowsPerPage),
    Home: () => tree.step(-FAR),
    End: () => tree.step(FAR),
    ArrowRight: () => tree.enter(),
    ArrowLeft: () => tree.leave(),
    ' ': () => tree.toggle(),
    Enter: () => tree.view(),
    Escape: () => tree.escape(),
  };
  return acts[key];
}
