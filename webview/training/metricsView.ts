import * as l10n from '@vscode/l10n';
import type { JobLabelMetrics, JobMetrics } from '../../src/shared/training';
import { element, progressRing } from '../ui/elements';
import { createMetricFormatter, type MetricFormatter } from './comparisonTables';
import { dataTable, type TableCell } from './dataTable';
import type { TrainingContext } from './trainingContext';
import { MAX_CONFUSIONS, getConfusions } from './confusions';

/**
 * Maximum number of labels in a readable matrix; for more labels, the confusions are listed
 * instead.
 */
const MAX_MATRIX_LABELS = 30;

/**
 * The metrics for the model that a job created: overall numbers, metrics per label, and confusions.
 */
export class MetricsView {
  readonly element: HTMLElement;
  private readonly body = element('div', { class: 'metrics-body' });
  private readonly text: MetricFormatter;
  private job: string | undefined;
  private reading: AbortController | undefined;

  constructor(private readonly context: TrainingContext) {
    this.text = createMetricFormatter(context.locale);
    this.element = element(
      'section',
      { class: 'metrics', 'aria-label': l10n.t('Metrics') },
      element('h3', {}, l10n.t('Metrics')),
      this.body,
    );
    this.element.hidden = true;
  }

  /**
   * Shows a job's metrics; undefined clears the view. A job's metrics don't change, so they are
   * loaded only once.
   */
  show(job: string | undefined): void {
    if (job === this.job) return;
    this.job = job;
    this.reading?.abort();
    this.element.hidden = job === undefined;
    if (job !== undefined) void this.read(job);
  }

  private async read(job: string): Promise<void> {
    const { host } = this.context;
    const reading = new AbortController();
    this.reading = reading;
    this.body.replaceChildren(progressRing(l10n.t('Loading metrics…')));
    try {
      const metrics = await host.request('readMetrics', { job }, reading.signal);
      this.body.replaceChildren(...this.parts(metrics));
    } catch (error) {
      if (reading.signal.aborted) return;
      // Clear the job so that selecting it again reloads its metrics.
      this.job = undefined;
      this.body.replaceChildren(this.problem(error instanceof Error ? error.message : ''));
    }
  }

  private problem(reason: string): HTMLElement {
    return element(
      'p',
      { class: 'note' },
      l10n.t("Couldn't load the metrics of this model. {0}", reason),
    );
  }

  private parts({ numbers, labels, confusion, problem }: JobMetrics): HTMLElement[] {
    if (problem !== undefined) return [this.problem(problem)];
    if (numbers.length + labels.length === 0) {
      return [element('p', { class: 'faint' }, l10n.t('This model has no metrics.json.'))];
    }
    const list = element('dl');
    for (const { name, value, isShare } of numbers) {
      const text = element('dd', {}, this.text.value(value, isShare));
      list.append(element('div', {}, element('dt', { dir: 'auto' }, name), text));
    }
    return [
      list,
      ...(labels.length > 0 ? [this.labelTable(labels)] : []),
      ...this.confused(labels, confusion),
    ];
  }

  private labelTable(labels: readonly JobLabelMetrics[]): HTMLElement {
    const hasOverlap = labels.some(({ meanIou }) => meanIou !== undefined);
    return dataTable({
      caption: l10n.t('Metrics by label, for images held out from training'),
      head: [l10n.t('Label'), l10n.t('Tested on'), l10n.t('Precision'), l10n.t('Recall')].concat(
        hasOverlap ? [l10n.t('Mean IoU')] : [],
      ),
      rows: labels.map(({ label, heldOut, precision, recall, meanIou }) => [
        label,
        this.text.value(heldOut, false),
        this.text.value(precision, true),
        this.text.value(recall, true),
        ...(hasOverlap ? [this.text.value(meanIou, true)] : []),
      ]),
    });
  }

  private confused(
    labels: readonly JobLabelMetrics[],
    matrix: JobMetrics['confusion'],
  ): HTMLElement[] {
    if (matrix.length === 0) return [];
    const names = labels.map(({ label }) => label);
    if (matrix.length <= MAX_MATRIX_LABELS) return [this.matrixTable(names, matrix)];
    return this.confusionTable(names, matrix);
  }

  private matrixTable(names: readonly string[], matrix: JobMetrics['confusion']): HTMLElement {
    const cell = (count: number, isRight: boolean): TableCell => {
      const kind = isRight ? 'right' : count > 0 ? 'wrong' : 'zero';
      return { text: this.text.value(count, false), class: kind };
    };
    return dataTable({
      caption: l10n.t('Confusion matrix: true labels in rows, predicted labels in columns'),
      class: 'matrix',
      head: [l10n.t('True label'), ...names],
      rows: matrix.map((row, truth) => [
        names[truth] ?? '',
        ...row.map((count, predicted) => cell(count, truth === predicted)),
      ]),
    });
  }

  private confusionTable(names: readonly string[], matrix: JobMetrics['confusion']): HTMLElement[] {
    const count = this.text.value(matrix.length, false);
    const note = element(
      'p',
      { class: 'faint' },
      l10n.t(
        'A confusion matrix with {0} labels is too large to display. The most frequent confusions are listed instead.',
        count,
      ),
    );
    const confusions = getConfusions(matrix).slice(0, MAX_CONFUSIONS);
    if (confusions.length === 0) {
      return [
        element('p', {}, l10n.t('The model predicted the correct label for every held-out image.')),
      ];
    }
    return [
      note,
      dataTable({
        caption: l10n.t('Most frequent confusions'),
        head: [l10n.t('True label'), l10n.t('Predicted label'), l10n.t('Images')],
        rows: confusions.map(({ truth, predicted, count: images }) => [
          names[truth] ?? '',
          { text: names[predicted] ?? '', class: 'text' },
          this.text.value(images, false),
        ]),
      }),
    ];
  }
}
