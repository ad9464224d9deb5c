import type { JobLog, JobLogLine } from '../../src/shared/training';
import { element } from '../ui/elements';
import { VirtualRows } from '../ui/virtualRows';
import type { JobTimes } from './jobTimes';
import type { TrainingContext } from './trainingContext';

/**
 * The lines of a log; only the visible lines are drawn. The view follows the end while the end is
 * visible.
 */
export class LogLines {
  private readonly rows: VirtualRows;
  private lines: JobLogLine[] = [];
  private drawn = new Map<number, HTMLElement>();
  private first = 0;
  private longest = 0;

  constructor(
    private readonly context: Pick<TrainingContext, 'strings'>,
    private readonly times: JobTimes,
    onFollowing: (following: boolean) => void,
  ) {
    const { label } = context.strings.log;
    const attributes = {
      role: 'list',
      class: 'log-lines',
      'aria-label': label,
      'data-focus': 'log',
    };
    this.rows = new VirtualRows(attributes, {
      groupRole: 'presentation',
      onWindow: (start, end) => this.forget(start, end),
      rowAt: (index) => this.rowAt(index),
      onDrawn: () => undefined,
      onFollowing,
      onStart: () => undefined,
    });
  }

  get element(): HTMLElement {
    return this.rows.element;
  }

  /** Number of the next line to be added. */
  get end(): number {
    return this.first + this.lines.length;
  }

  clear(): void {
    this.lines = [];
    this.first = 0;
    this.longest = 0;
    this.drawn.clear();
    this.rows.change({ first: 0, end: 0, moves: [], reset: true });
    this.rows.scrollToEnd();
  }

  scrollToEnd(): void {
    this.rows.scrollToEnd();
  }

  /** Adds the next lines and drops lines that are no longer buffered. */
  add({ from, first, lines }: Pick<JobLog, 'from' | 'first' | 'lines'>): void {
    if (from !== this.end) {
      this.lines = [];
      this.first = from;
    }
    this.lines.push(...lines);
    const gone = Math.min(Math.max(first - this.first, 0), this.lines.length);
    this.lines.splice(0, gone);
    this.first += gone;
    for (const { message } of lines) this.longest = Math.max(this.longest, message.length);
    this.element.style.setProperty('--longest-line', String(this.longest));
    this.rows.change({ first: this.first, end: this.end, moves: [], reset: false });
    this.rows.refresh();
  }

  private forget(start: number, end: number): void {
    for (const index of this.drawn.keys()) {
      if (index < start || index >= end) this.drawn.delete(index);
    }
  }

  private rowAt(index: number): HTMLElement {
    const known = this.drawn.get(index);
    const row = known ?? this.draw(index);
    if (!known) this.drawn.set(index, row);
    return row;
  }

  private draw(index: number): HTMLElement {
    const line = this.lines[index - this.first];
    const { level = 'info', message = '', at } = line ?? {};
    const { levels } = this.context.strings.log;
    return element(
      'div',
      { role: 'listitem', class: `log-line ${level}`, 'aria-setsize': '-1' },
      at === undefined ? undefined : element('span', { class: 'log-time' }, this.times.clock(at)),
      ' ',
      level === 'info' ? undefined : element('span', { class: 'log-level' }, levels[level]),
      ' ',
      element('span', { class: 'log-text', dir: 'auto' }, message),
    );
  }
}
