import * as l10n from '@vscode/l10n';
import type { JobMetrics, JobProgress, JobSeries, PageJob } from '../../src/shared/training';
import {
  element,
  progressRing,
  redrawKeepingFocus,
  toggleButton,
  toolButton,
  uniqueId,
} from '../ui/elements';
import {
  type ComparedJobs,
  type ComparedMetrics,
  compareLabels,
  compareNumbers,
  createMetricFormatter,
  pinBaseline,
  toggleJob,
} from './comparisonTables';
import { dataTable } from './dataTable';
import { MetricChart } from './metricChart';
import { type JobTimes, statusIcon } from './jobList';
import type { TrainingContext } from './trainingContext';

interface ComparisonOptions {
  readonly context: TrainingContext;
  readonly times: JobTimes;
  /** Called when the compared jobs or the baseline change. */
  readonly onChange: (jobs: ComparedJobs) => void;
  readonly onClose: () => void;
}

/** Loaded data for a compared job. */
interface ComparedJob {
  readonly job: PageJob;
  readonly metrics: JobMetrics | undefined;
  readonly progress: JobProgress;
  readonly problem: string | undefined;
}

/** The curve to draw initially if a job has it. */
const DEFAULT_CURVE = 'val_loss';

/**
 * A comparison of jobs, with a chart that shows one curve per job, and a table of their metrics
 * next to the baseline's metrics.
 */
export class ComparisonView {
  readonly element: HTMLElement;
  private readonly list = element('ul', { class: 'compared-jobs' });
  private readonly notes = element('div', { class: 'comparison-notes' });
  private readonly curve: HTMLSelectElement;
  private readonly curveLine: HTMLElement;
  private readonly chart: MetricChart;
  private readonly tables = element('div', { class: 'metrics-body' });
  private jobs: readonly PageJob[] = [];
  private known: readonly ComparedJob[] = [];
  private reading: AbortController | undefined;
  /** True if the data changed during a read, so that another read must follow. */
  private isStale = false;
  /** True if a progress ring is shown, which the next drawing removes. */
  private isLoading = false;

  constructor(private readonly options: ComparisonOptions) {
    const { context, onClose, onChange } = options;
    const bar = element(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': l10n.t('Actions') },
      toolButton(l10n.t('Close Comparison'), onClose, {
        focusKey: 'close comparison',
        class: 'bordered',
      }),
      toolButton(l10n.t('Clear Comparison'), () => onChange([]), {
        focusKey: 'clear comparison',
        class: 'bordered',
      }),
    );
    const heading = element(
      'h2',
      { tabindex: '-1', 'data-focus': 'comparison' },
      l10n.t('Comparison'),
    );
    const id = uniqueId('curve');
    this.curve = element('select', { id, 'data-focus': 'curve' });
    this.curve.addEventListener('change', () => this.drawCurve());
    this.curveLine = element(
      'div',
      { class: 'curve-line' },
      element('label', { for: id }, l10n.t('Curve')),
      this.curve,
    );
    this.chart = new MetricChart(
      { heading: l10n.t('Curves by epoch'), table: l10n.t('Curve values') },
      context,
    );
    this.element = element(
      'div',
      { class: 'job-view comparison', role: 'region', 'aria-label': l10n.t('Comparison') },
      element('div', { class: 'job-head' }, heading, bar),
      this.list,
      this.notes,
      this.curveLine,
      this.chart.element,
      this.tables,
    );
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      onClose();
      event.preventDefault();
      event.stopPropagation();
    });
    const themes = new MutationObserver(() => this.chart.recolor());
    const attributeFilter = ['class', 'data-vscode-theme-id'];
    themes.observe(document.body, { attributes: true, attributeFilter });
  }

  focus(): void {
    this.element.querySelector<HTMLElement>('h2')?.focus();
  }

  /**
   * Compares jobs, the first of which is the baseline; an empty list hides the comparison. If the
   * jobs are the same as before, updates the data of jobs that haven't ended.
   */
  show(jobs: readonly PageJob[]): void {
    this.element.hidden = jobs.length === 0;
    if (isSame(jobs, this.jobs)) {
      if (jobs.some(({ endedAt }) => endedAt === undefined)) this.update();
      return;
    }
    this.notifyFollowed(jobs);
    this.jobs = jobs;
    this.drawList();
    void this.read();
  }

  /** Called when a job's log has grown. */
  logChanged(job: string): void {
    if (this.jobs.some(({ id, endedAt }) => id === job && endedAt === undefined)) this.update();
  }

  /** Requests notifications about the logs of these jobs. */
  private notifyFollowed(jobs: readonly PageJob[]): void {
    const toIds = (list: readonly PageJob[]): string[] => list.map(({ id }) => id).sort();
    if (isSame(toIds(jobs), toIds(this.jobs))) return;
    this.options.context.host.send('compare', { jobs: jobs.map(({ id }) => id) });
  }

  /** Reads again, or after the current read, because frequent changes must not abort every read. */
  private update(): void {
    if (this.reading) this.isStale = true;
    else void this.read();
  }

  private async read(): Promise<void> {
    this.stopReading();
    const { jobs } = this;
    if (jobs.length === 0) {
      this.known = [];
      return;
    }
    const reading = new AbortController();
    this.reading = reading;
    const isKnown = jobs.every(({ id }) => this.known.some(({ job }) => job.id === id));
    if (!isKnown) {
      this.notes.replaceChildren(progressRing(l10n.t('Loading metrics…')));
      this.isLoading = true;
    }
    const known = await Promise.all(jobs.map((job) => this.readJob(job, reading.signal)));
    if (reading.signal.aborted) return;
    this.reading = undefined;
    const isChanged = this.isLoading || !isSame(known, this.known);
    this.known = known;
    this.isLoading = false;
    if (isChanged) this.draw();
    if (this.isStale) void this.read();
  }

  private stopReading(): void {
    this.reading?.abort();
    this.reading = undefined;
    this.isStale = false;
  }

  /** A finished job doesn't change, so its data isn't loaded again. */
  private async readJob(job: PageJob, signal: AbortSignal): Promise<ComparedJob> {
    const { host } = this.options.context;
    const before = this.known.find((one) => one.job.id === job.id);
    const hasEnded = job.endedAt !== undefined;
    if (before && hasEnded && before.problem === undefined && isSame(before.job, job)) {
      return before;
    }
    // A failed update preserves the curves.
    let progress = before?.progress ?? { losses: [], qualities: [] };
    let metrics: JobMetrics | undefined;
    try {
      progress = await host.request('readCurves', { job: job.id }, signal);
      if (job.state === 'completed') {
        metrics = await host.request('readMetrics', { job: job.id }, signal);
      }
      return { job, metrics, progress, problem: metrics?.problem };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return { job, metrics, progress, problem };
    }
  }

  private drawList(): void {
    const { onChange } = this.options;
    const ids = this.jobs.map(({ id }) => id);
    const rows = this.jobs.map((job, index) => {
      const name = this.getName(job);
      const pin = toggleButton(
        index === 0 ? l10n.t('Baseline') : l10n.t('Pin as Baseline'),
        () => onChange(pinBaseline(ids, job.id)),
        { focusKey: `pin ${job.id}`, hint: l10n.t('Compare other jobs with {0}', name) },
      );
      pin.setOn(index === 0);
      const remove = toolButton(
        l10n.t('Remove from Comparison'),
        () => onChange(toggleJob(ids, job.id)),
        {
          focusKey: `remove ${job.id}`,
          class: 'bordered',
          hint: l10n.t('Remove {0} from the comparison', name),
        },
      );
      return element(
        'li',
        {},
        element('span', { class: 'compared-name', dir: 'auto' }, name),
        element('span', { class: 'faint' }, statusIcon(job.state), ' ', job.status),
        pin.element,
        remove,
      );
    });
    redrawKeepingFocus(
      this.list,
      () => this.list.replaceChildren(...rows),
      // Removing a job moves focus to the heading.
      (key) =>
        this.list.querySelector(`[data-focus="${CSS.escape(key)}"]`)
          ? undefined
          : (this.element.querySelector<HTMLElement>('h2') ?? undefined),
    );
  }

  /** Distinguishes jobs for the same model and version by their submission times. */
  private getName({ model, version, submittedAt }: PageJob): string {
    const isOnly =
      this.jobs.filter((job) => job.model === model && job.version === version).length === 1;
    const name = `${model} ${version}`.trim();
    if (isOnly || submittedAt === undefined) return name;
    return `${name}, ${this.options.times.renderTime(submittedAt).textContent}`;
  }

  private draw(): void {
    const { locale } = this.options.context;
    const notes = this.known.flatMap(({ job, problem }) =>
      problem === undefined
        ? []
        : [element('p', {}, l10n.t('{0}: {1}', this.getName(job), problem))],
    );
    this.notes.replaceChildren(...notes);
    const names = new Set(
      this.known.flatMap(({ progress }) => getAllSeries(progress)).map(getSeriesName),
    );
    const offered = [...this.curve.options].map(({ value }) => value);
    // Replacing the options closes an open list.
    if (!isSame(offered, [...names])) this.offerCurves(names);
    this.curveLine.hidden = names.size === 0;
    this.drawCurve();
    const compared = this.known.map(({ job, metrics }): ComparedMetrics => ({
      name: this.getName(job),
      metrics: metrics ?? { numbers: [], labels: [], confusion: [] },
    }));
    const text = createMetricFormatter(locale);
    const numbers = compareNumbers(compared, text);
    const labels = compareLabels(compared, text);
    this.tables.replaceChildren(
      ...(numbers.rows.length > 0
        ? [
            dataTable({
              caption: l10n.t('Metrics and their difference from the baseline'),
              ...numbers,
            }),
          ]
        : []),
      ...(labels.rows.length > 0
        ? [
            dataTable({
              caption: l10n.t(
                'Precision and recall by label, with the difference from the baseline',
              ),
              ...labels,
            }),
          ]
        : []),
      ...(numbers.rows.length + labels.rows.length > 0
        ? []
        : [element('p', { class: 'faint' }, l10n.t('None of these jobs has metrics to compare.'))]),
    );
  }

  private offerCurves(names: ReadonlySet<string>): void {
    const before = this.curve.value;
    this.curve.replaceChildren(
      ...[...names].map((name) => element('option', { value: name }, name)),
    );
    if (names.has(before)) this.curve.value = before;
    else if (names.has(DEFAULT_CURVE)) this.curve.value = DEFAULT_CURVE;
  }

  /** Draws the selected curve for every job that has it. */
  private drawCurve(): void {
    const chosen = this.curve.value;
    this.chart.show(
      this.known.flatMap(({ job, progress }) => {
        const series = getAllSeries(progress).find(({ name }) => name === chosen);
        return series ? [{ ...series, name: this.getName(job) }] : [];
      }),
    );
  }
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function getAllSeries({ losses, qualities }: JobProgress): readonly JobSeries[] {
  return [...losses, ...qualities];
}

function getSeriesName({ name }: JobSeries): string {
  return name;
}
