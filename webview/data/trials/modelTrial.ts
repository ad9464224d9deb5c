import * as l10n from '@vscode/l10n';
import type { BoxView } from '../../../src/shared/data/boxes';
import type { ItemView } from '../../../src/shared/data/items';
import type { PredictionView, TrialView } from '../../../src/shared/data/proposals';
import { HostError } from '../../messaging/hostConnection';
import { element, focusWhenHere, toolButton } from '../../ui/elements';
import { formatLabel } from '../boxes/boxLabels';
import type { DataContext } from '../dataContext';
import { labelColor } from '../boxes/drawBoxes';

/** Maximum number of listed labels; further labels are only counted. */
const MAX_LABELS = 20;

interface ModelTrialOptions {
  /** Draws a detector's boxes over the image. */
  readonly showBoxes: (boxes: readonly BoxView[]) => void;
  /** Called when the user closes the predictions. */
  readonly closed: () => void;
}

/** A model's predictions for the open image, as text and as boxes over it. */
export class ModelTrial {
  readonly element = element('aside', { class: 'trial', tabindex: '-1' });
  private running: AbortController | undefined;

  constructor(
    private readonly context: DataContext,
    private readonly options: ModelTrialOptions,
  ) {
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      this.close();
    });
  }

  /** Has the host prompt for a model, and shows the model's predictions. */
  async run({ id }: Pick<ItemView, 'id'>): Promise<void> {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    try {
      const view = await this.context.host.request('tryModel', { id }, running.signal);
      if (!running.signal.aborted) this.show(view);
    } catch (error) {
      const isCanceled = error instanceof HostError && error.kind === 'canceled';
      if (!running.signal.aborted && !isCanceled) this.showError(error);
    }
  }

  /** Hides the predictions because another image is loading. */
  clear(): void {
    this.running?.abort();
    this.element.hidden = true;
    this.element.replaceChildren();
    this.options.showBoxes([]);
  }

  private show({ model, task, predictions, minConfidence }: TrialView): void {
    const { locale, announce } = this.context;
    const shown = predictions.slice(0, MAX_LABELS);
    const rows = shown.map((prediction) => predictionRow(prediction, locale));
    const rest = predictions.length - shown.length;
    const more =
      rest === 1
        ? l10n.t('1 more label with a lower confidence')
        : l10n.t('{0} more labels with a lower confidence', rest.toLocaleString(locale));
    const emptyNotice =
      task === 'objectDetection' && rows.length === 0
        ? l10n.t(
            'The model found nothing with a confidence of at least {0}.',
            minConfidence.toLocaleString(locale, { style: 'percent' }),
          )
        : undefined;
    const heading = l10n.t('Predictions of {0}', formatLabel(model));
    this.fill(
      heading,
      emptyNotice === undefined ? undefined : element('p', {}, emptyNotice),
      rows.length > 0 ? element('ul', { class: 'predictions' }, ...rows) : undefined,
      rest > 0 ? element('p', { class: 'faint' }, more) : undefined,
      element('p', { class: 'faint' }, l10n.t('Predictions are not stored.')),
    );
    this.options.showBoxes(
      predictions.flatMap(({ label, confidence, box }, at) =>
        box ? [{ id: `predicted ${String(at)}`, label, confidence, ...box }] : [],
      ),
    );
    announce(emptyNotice ?? [heading, ...rows.map(({ textContent }) => textContent)].join(', '));
  }

  private showError(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.fill(l10n.t("Couldn't run the model"), element('p', { role: 'alert' }, message));
    this.options.showBoxes([]);
  }

  private fill(heading: string, ...content: readonly (HTMLElement | undefined)[]): void {
    this.element.setAttribute('aria-label', heading);
    this.element.replaceChildren(
      element('h3', {}, heading),
      ...content.filter((part) => part !== undefined),
      toolButton(l10n.t('Close'), () => this.close(), { focusKey: 'close trial' }),
    );
    this.element.hidden = false;
    focusWhenHere(() => this.element.focus());
  }

  private close(): void {
    this.clear();
    this.options.closed();
  }
}

/** Creates a row that shows a prediction as text and its confidence as a bar. */
function predictionRow(prediction: PredictionView, locale: string): HTMLElement {
  const { label, confidence } = prediction;
  const bar = element('span', { class: 'prediction-bar', 'aria-hidden': 'true' });
  bar.style.inlineSize = `${String(Math.min(Math.max(confidence, 0), 1) * 100)}%`;
  bar.style.backgroundColor = labelColor(label);
  return element(
    'li',
    { class: 'prediction' },
    element('span', { dir: 'auto' }, formatPrediction(prediction, locale)),
    element('span', { class: 'prediction-scale', 'aria-hidden': 'true' }, bar),
  );
}

/** Formats a prediction: its label and its confidence in percent. */
export function formatPrediction({ label, confidence }: PredictionView, locale: string): string {
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  return l10n.t('{0}: {1}', formatLabel(label), percent.format(confidence));
}
