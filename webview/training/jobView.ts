import * as l10n from '@vscode/l10n';
import type { JobDetail, JobProgress, PageJob } from '../../src/shared/training';
import { type Child, element, redrawKeepingFocus, toolButton } from '../ui/elements';
import { MetricChart } from './metricChart';
import { type JobTimes, statusIcon, trainedFor } from './jobList';
import { LogView } from './logView';
import { MetricsView } from './metricsView';
import type { TrainingContext } from './trainingContext';

const NO_PROGRESS: JobProgress = { losses: [], qualities: [] };
/**
 * Maximum length, in characters, of a value that fits in one column; longer values, such as many
 * labels, span multiple columns.
 */
const LONG_FACT = 120;

/** The selected job's details. */
export class JobView {
  readonly element = element('div', { class: 'job-view' });
  private readonly head = element('div', { class: 'job-head' });
  private readonly body = element('div', { class: 'job-body' });
  private readonly duration = element('dd', { class: 'live-duration' });
  private readonly progressBar: ProgressBar;
  private readonly losses: MetricChart;
  private readonly qualities: MetricChart;
  private readonly metrics: MetricsView;
  private readonly log: LogView;
  private job: PageJob | undefined;
  private detail: JobDetail | undefined;
  private isReadOnly = false;
  private progress = NO_PROGRESS;
  private abortController: AbortController | undefined;

  constructor(
    private readonly context: TrainingContext,
    private readonly times: JobTimes,
    private readonly failed: (error: unknown) => void,
    private readonly comparing: JobComparing,
  ) {
    this.progressBar = new ProgressBar(context);
    this.losses = new MetricChart(
      { heading: l10n.t('Loss by epoch'), table: l10n.t('Loss values') },
      context,
    );
    this.qualities = new MetricChart(
      { heading: l10n.t('Quality by epoch'), table: l10n.t('Quality values') },
      context,
    );
    this.metrics = new MetricsView(context);
    this.log = new LogView(context, times, (progress) => this.showProgress(progress));
    const charts = element('div', { class: 'charts' }, this.losses.element, this.qualities.element);
    this.element.append(this.head, this.progressBar.element, this.body);
    this.element.append(this.metrics.element, charts, this.log.element);
    this.element.hidden = true;
    // When the theme changes, redraw the chart, because its image contains the theme's colors.
    const themes = new MutationObserver(() => this.recolor());
    const attributeFilter = ['class', 'data-vscode-theme-id'];
    themes.observe(document.body, { attributes: true, attributeFilter });
  }

  focus(): void {
    this.head.querySelector<HTMLElement>('h2')?.focus();
  }

  /**
   * Shows a job in its current state, or nothing.
   * @param isReadOnly true if the connection is read-only, which determines the available actions
   */
  show(job: PageJob | undefined, isReadOnly: boolean): void {
    const before = this.job;
    const hasSameActions = this.isReadOnly === isReadOnly;
    this.job = job;
    this.isReadOnly = isReadOnly;
    this.element.hidden = !job;
    if (!job) return;
    const isOther = before?.id !== job.id;
    if (isOther) {
      this.detail = undefined;
      this.showProgress(NO_PROGRESS);
      this.element.scrollTop = 0;
    }
    if (isOther || !hasSameActions || JSON.stringify(before) !== JSON.stringify(job)) {
      this.draw(job);
      void this.readDetail(job);
    }
    this.metrics.show(job.state === 'completed' ? job.id : undefined);
    void this.log.show(job.id, job.endedAt !== undefined);
  }

  /** Updates the view after the job was added to the comparison or removed from it. */
  comparisonChanged(): void {
    if (this.job) this.draw(this.job);
  }

  /** Loads the new lines in the job's log. */
  logChanged(): void {
    void this.log.pull();
  }

  /** Updates a running job's displayed duration. */
  tick(now: number): void {
    const lasted = this.job && trainedFor(this.job, now);
    const text = lasted === undefined ? '' : this.times.duration(lasted);
    if (this.duration.textContent !== text) this.duration.textContent = text;
  }

  private async readDetail({ id }: PageJob): Promise<void> {
    this.abortController?.abort();
    const controller = new AbortController();
    this.abortController = controller;
    try {
      this.detail = await this.context.host.request('detail', { job: id }, controller.signal);
      if (this.job) this.draw(this.job);
    } catch (error) {
      if (!controller.signal.aborted) this.failed(error);
    }
  }

  private showProgress(progress: JobProgress): void {
    this.progress = progress;
    this.losses.show(progress.losses);
    this.qualities.show(progress.qualities);
    if (this.job) this.progressBar.show(this.job, progress);
  }

  private recolor(): void {
    this.losses.recolor();
    this.qualities.recolor();
  }

  private draw(job: PageJob): void {
    const { detail, context } = this;
    const { model, version, state, status } = job;
    this.progressBar.show(job, this.progress);
    redrawKeepingFocus(
      this.head,
      () =>
        this.head.replaceChildren(
          element(
            'div',
            { class: 'titles' },
            element(
              'h2',
              { tabindex: '-1', dir: 'auto', 'data-focus': 'job' },
              `${model} ${version}`.trim(),
            ),
            element('p', { class: 'status' }, statusIcon(state), ' ', status),
          ),
          ...(detail ? [jobActions(job, detail, context, this.comparing)] : []),
        ),
      // If the focused action is no longer available, moves focus to the job.
      (key) =>
        this.head.querySelector(`[data-focus="${CSS.escape(key)}"]`)
          ? undefined
          : (this.head.querySelector<HTMLElement>('h2') ?? undefined),
    );
    this.body.replaceChildren(...this.renderError(detail), this.renderFacts(job, detail));
    this.tick(Date.now());
  }

  private renderError(detail: JobDetail | undefined): HTMLElement[] {
    if (detail?.error === undefined) return [];
    const label = l10n.t('Failure reason');
    return [
      element(
        'section',
        { class: 'job-error', 'aria-label': label },
        element('h3', {}, label),
        element('pre', { dir: 'auto' }, detail.error),
      ),
    ];
  }

  private renderFacts(job: PageJob, detail: JobDetail | undefined): HTMLElement {
    const { submittedAt, startedAt, endedAt } = job;
    const at = (timestamp: number | undefined): Child =>
      timestamp === undefined ? undefined : this.times.renderTime(timestamp);
    const rows: (readonly [string, Child])[] = [
      [l10n.t('Submitted'), at(submittedAt)],
      [l10n.t('Started'), at(startedAt)],
      [l10n.t('Ended'), at(endedAt)],
      ...(detail?.facts ?? []).map(
        ({ name, value, isCode }) =>
          [name, isCode ? element('code', { dir: 'auto' }, value) : value] as const,
      ),
    ];
    const list = element('dl');
    for (const [name, value] of rows) {
      if (value !== undefined) list.append(fact(name, element('dd', { dir: 'auto' }, value)));
    }
    if (trainedFor(job, Date.now()) !== undefined) {
      list.append(fact(l10n.t('Duration'), this.duration));
    }
    return element('section', { class: 'facts', 'aria-label': l10n.t('Details') }, list);
  }
}

function fact(name: string, value: HTMLElement): HTMLElement {
  const isLong = value.textContent.length > LONG_FACT;
  // A long value can be scrollable, so it must be reachable by keyboard.
  if (isLong) value.tabIndex = 0;
  return element('div', isLong ? { class: 'long' } : {}, element('dt', {}, name), value);
}

/** Callbacks and state for adding the selected job to the comparison or removing it. */
interface JobComparing {
  readonly isCompared: (job: string) => boolean;
  readonly toggle: (job: string) => void;
}

/** Creates a job's action buttons. */
function jobActions(
  { id }: PageJob,
  { canCancel, canDelete, canSubmit, canDeploy, hasModel, hasDataset }: JobDetail,
  { host, announce }: TrainingContext,
  comparing: JobComparing,
): HTMLElement {
  const job = { job: id };
  const bar = element('div', {
    class: 'toolbar',
    role: 'toolbar',
    'aria-label': l10n.t('Actions'),
  });
  const add = (label: string, focusKey: string, onPress: () => void): void =>
    bar.append(toolButton(label, onPress, { focusKey, class: 'bordered' }));
  if (canCancel) add(l10n.t('Cancel Training Job'), 'cancel', () => host.send('cancel', job));
  if (canDeploy) add(l10n.t('Deploy to Machine…'), 'deploy', () => host.send('deploy', job));
  if (hasModel) {
    add(l10n.t('View Model'), 'show model', () => host.send('showModel', job));
  }
  add(
    comparing.isCompared(id) ? l10n.t('Remove from Comparison') : l10n.t('Add to Comparison'),
    'compare',
    () => comparing.toggle(id),
  );
  if (canSubmit) {
    add(l10n.t('Submit Again…'), 'submit again', () => host.send('submitAgain', job));
  }
  if (hasDataset) add(l10n.t('Show Dataset'), 'show dataset', () => host.send('showDataset', job));
  add(l10n.t('Copy ID'), 'copy id', () => {
    host.send('copyId', job);
    announce(l10n.t('Copied the ID.'));
  });
  if (canDelete) add(l10n.t('Delete…'), 'delete', () => host.send('delete', job));
  return bar;
}

/** Progress bar for a running job. */
class ProgressBar {
  readonly element: HTMLElement;
  private readonly bar: HTMLElement;
  private readonly filled = element('div', { class: 'progress-filled' });
  private readonly text = element('span', { class: 'progress-text' });

  constructor(private readonly context: Pick<TrainingContext, 'locale'>) {
    const label = l10n.t('Progress');
    this.bar = element(
      'div',
      { class: 'progress-bar', role: 'progressbar', 'aria-label': label },
      this.filled,
    );
    this.element = element('div', { class: 'progress' }, this.bar, this.text);
    this.element.hidden = true;
  }

  show({ state }: Pick<PageJob, 'state'>, { epoch, epochs }: JobProgress): void {
    const isRunning = state === 'running' || state === 'canceling';
    const isKnown = epoch !== undefined && epochs !== undefined && epochs > 0;
    this.element.hidden = !isRunning;
    this.bar.classList.toggle('unknown', !isKnown);
    if (!isKnown) {
      this.text.textContent = '';
      this.filled.style.removeProperty('inline-size');
      this.bar.removeAttribute('aria-valuenow');
      this.bar.removeAttribute('aria-valuetext');
      return;
    }
    const share = Math.min(epoch / epochs, 1);
    const number = (value: number): string => value.toLocaleString(this.context.locale);
    const text = l10n.t('Epoch {0} of {1}', number(epoch), number(epochs));
    this.filled.style.inlineSize = `${String(share * 100)}%`;
    this.bar.setAttribute('aria-valuenow', String(Math.round(share * 100)));
    this.bar.setAttribute('aria-valuetext', text);
    if (this.text.textContent !== text) this.text.textContent = text;
  }
}
