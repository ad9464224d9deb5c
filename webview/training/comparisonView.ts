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

  /** Compares jobs, the first of which is the baseline; an empty list hides the comparison. */
  show(jobs: readonly PageJob[]): void {
    this.element.hidden = jobs.length === 0;
    if (JSON.stringify(jobs) === JSON.stringify(this.jobs)) return;
    this.jobs = jobs;
    this.drawList();
    void this.read();
  }

  private async read(): Promise<void> {
    this.reading?.abort();
    const reading = new AbortController();
    this.reading = reading;
    if (this.jobs.length === 0) {
      this.known = [];
      return;
    }
    this.notes.replaceChildren(progressRing(l10n.t('Loading metrics…')));
    const known = await Promise.all(this.jobs.map((job) => this.readJob(job, reading.signal)));
    if (reading.signal.aborted) return;
    this.known = known;
    this.draw();
  }

  /** A finished job doesn't change, so its data isn't loaded again. */
  private async readJob(job: PageJob, signal: AbortSignal): Promise<ComparedJob> {
    const { host } = this.options.context;
    const before = this.known.find((one) => JSON.stringify(one.job) === JSON.stringify(job));
    if (before && job.endedAt !== undefined && before.problem === undefined) return before;
    let progress: JobProgress = { losses: [], qualities: [] };
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
    const before = this.curve.value;
    this.curve.replaceChildren(
      ...[...names].map((name) => element('option', { value: name }, name)),
    );
    if (names.has(before)) this.curve.value = before;
    else if (names.has(DEFAULT_CURVE)) this.curve.value = DEFAULT_CURVE;
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

function getAllSeries({ losses, qualities }: JobProgress): readonly JobSeries[] {
  return [...losses, ...qualities];
}

function getSeriesName({ name }: JobSeries): string {
  return name;
}
