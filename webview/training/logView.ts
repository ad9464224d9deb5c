import type { JobProgress } from '../../src/shared/training';
import { element } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import { toolButton } from '../ui/toolButton';
import { LogLines } from './logLines';
import type { JobTimes } from './jobTimes';
import type { TrainingContext } from './trainingContext';

/** The log of the selected job, updated while the job runs. */
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
    const { host, strings } = context;
    const { log } = strings;
    this.lines = new LogLines(context, times, (following) => {
      this.toEnd.hidden = following;
    });
    this.toEnd = toolButton(log.toEnd, () => this.goToEnd(), { focusKey: 'log end' });
    this.toEnd.hidden = true;
    const openLog = (): void => {
      if (this.job !== undefined) host.send('openLog', { job: this.job });
    };
    this.open = toolButton(log.open, openLog, { focusKey: 'open log' });
    this.element = element(
      'section',
      { class: 'log', 'aria-label': log.heading },
      element('div', { class: 'log-head' }, element('h3', {}, log.heading), this.toEnd, this.open),
      this.note,
      this.lines.element,
    );
  }

  /** Shows the log of a job; starts at the beginning when the job changes. */
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
    const { strings, locale } = this.context;
    const { log } = strings;
    if (problem !== undefined) return problem;
    if (total === 0) return this.hasEnded ? log.empty : log.waiting;
    return first > 0 ? fillPlaceholders(log.dropped, first.toLocaleString(locale)) : '';
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
