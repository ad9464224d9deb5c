import * as l10n from '@vscode/l10n';
import type { JobLog, JobLogLine, JobProgress } from '../../src/shared/training';
import { element, toolButton } from '../ui/elements';
import type { JobTimes } from './jobList';
import type { TrainingContext } from './trainingContext';
import { VirtualRows } from '../ui/virtualRows';

/** The selected job's log, updated while the job runs. */
export class LogView {
  readonly element: HTMLElement;
  private readonly lines: LogLines;
  private readonly note = element('p', { class: 'faint log-note' });
  private readonly toEnd: HTMLButtonElement;
  private readonly open: HTMLButtonElement;
  private job: string | undefined;
  private hasEnded = false;
  private abortController: AbortController | undefined;

  constructor(
    private readonly context: TrainingContext,
    times: JobTimes,
    private readonly onProgress: (progress: JobProgress) => void,
  ) {
    const { host } = context;
    this.lines = new LogLines(times, (following) => {
      this.toEnd.hidden = following;
    });
    this.toEnd = toolButton(l10n.t('Scroll to End'), () => this.goToEnd(), { focusKey: 'log end' });
    this.toEnd.hidden = true;
    const openLog = (): void => {
      if (this.job !== undefined) host.send('openLog', { job: this.job });
    };
    this.open = toolButton(l10n.t('Open as Text'), openLog, { focusKey: 'open log' });
    this.element = element(
      'section',
      { class: 'log', 'aria-label': l10n.t('Log') },
      element(
        'div',
        { class: 'log-head' },
        element('h3', {}, l10n.t('Log')),
        this.toEnd,
        this.open,
      ),
      this.note,
      this.lines.element,
    );
  }

  /** Shows a job's log; starts at the beginning when the job changes. */
  async show(job: string, hasEnded: boolean): Promise<void> {
    this.hasEnded = hasEnded;
    if (job === this.job) return this.pull();
    this.job = job;
    this.abortController?.abort();
    this.abortController = undefined;
    this.lines.clear();
    this.showNote('', false);
    return this.pull();
  }

  /** Loads the new lines. */
  async pull(): Promise<void> {
    const { job } = this;
    if (job === undefined) return;
    this.abortController?.abort();
    const controller = new AbortController();
    this.abortController = controller;
    try {
      for (;;) {
        const from = this.lines.end;
        const log = await this.context.host.request('readLog', { job, from }, controller.signal);
        this.lines.add(log);
        this.onProgress(log.progress);
        this.showNote(this.describeLog(log), log.total > 0);
        if (log.lines.length === 0 || this.lines.end >= log.total) return;
      }
    } catch (error) {
      if (controller.signal.aborted) return;
      this.showNote(error instanceof Error ? error.message : String(error), this.lines.end > 0);
    }
  }

  private goToEnd(): void {
    // The button disappears when the end of the log is reached.
    this.lines.element.focus();
    this.lines.scrollToEnd();
  }

  private describeLog({ problem, first, total }: NotedLog): string {
    const { locale } = this.context;
    if (problem !== undefined) return problem;
    if (total === 0) {
      return this.hasEnded
        ? l10n.t("The job didn't log anything.")
        : l10n.t("The job hasn't logged anything yet.");
    }
    return first > 0
      ? l10n.t('{0} earlier lines are not shown.', first.toLocaleString(locale))
      : '';
  }

  private showNote(note: string, hasLines: boolean): void {
    if (this.note.textContent !== note) this.note.textContent = note;
    this.note.hidden = note === '';
    this.lines.element.hidden = !hasLines;
    this.open.hidden = !hasLines;
  }
}

interface NotedLog {
  readonly problem?: string | undefined;
  readonly first: number;
  readonly total: number;
}

/**
 * The lines in a log; only the visible lines are drawn. The view follows the end while the end is
 * visible.
 */
class LogLines {
  private readonly rows: VirtualRows;
  private lines: JobLogLine[] = [];
  private drawn = new Map<number, HTMLElement>();
  private first = 0;
  private longest = 0;

  constructor(
    private readonly times: JobTimes,
    onFollowing: (following: boolean) => void,
  ) {
    const attributes = {
      role: 'list',
      class: 'log-lines',
      'aria-label': l10n.t('Job log'),
      'data-focus': 'log',
    };
    this.rows = new VirtualRows(attributes, {
      groupRole: 'presentation',
      onWindow: (start, end) => this.deleteRows(start, end),
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

  private deleteRows(start: number, end: number): void {
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
    return element(
      'div',
      { role: 'listitem', class: `log-line ${level}`, 'aria-setsize': '-1' },
      at === undefined ? undefined : element('span', { class: 'log-time' }, this.times.clock(at)),
      ' ',
      level === 'info'
        ? undefined
        : element(
            'span',
            { class: 'log-level' },
            level === 'warn' ? l10n.t('Warning') : l10n.t('Error'),
          ),
      ' ',
      element('span', { class: 'log-text', dir: 'auto' }, message),
    );
  }
}
