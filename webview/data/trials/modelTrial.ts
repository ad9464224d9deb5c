import type { BoxView } from '../../../src/shared/data/boxes';
import type { ItemView } from '../../../src/shared/data/items';
import type { PredictionView, TrialStrings, TrialView } from '../../../src/shared/data/trials';
import { HostError } from '../../messaging/hostConnection';
import { element, focusWhenHere, toolButton } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/format';
import { formatLabel } from '../boxes/formatLabel';
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

  private show({ model, task, predictions }: TrialView): void {
    const { strings, locale, announce } = this.context;
    const { trials } = strings;
    const shown = predictions.slice(0, MAX_LABELS);
    const rows = shown.map((prediction) => predictionRow(prediction, trials, locale));
    const rest = predictions.length - shown.length;
    const more =
      rest === 1
        ? trials.moreLabel
        : fillPlaceholders(trials.moreLabels, rest.toLocaleString(locale));
    const emptyNotice =
      task === 'objectDetection' && rows.length === 0 ? trials.nothingFound : undefined;
    const heading = fillPlaceholders(trials.heading, formatLabel(model));
    this.fill(
      heading,
      emptyNotice === undefined ? undefined : element('p', {}, emptyNotice),
      rows.length > 0 ? element('ul', { class: 'predictions' }, ...rows) : undefined,
      rest > 0 ? element('p', { class: 'faint' }, more) : undefined,
      element('p', { class: 'faint' }, trials.notStored),
    );
    this.options.showBoxes(
      predictions.flatMap(({ label, confidence, box }, at) =>
        box ? [{ id: `predicted ${String(at)}`, label, confidence, ...box }] : [],
      ),
    );
    announce(emptyNotice ?? [heading, ...rows.map(({ textContent }) => textContent)].join(', '));
  }

  private showError(error: unknown): void {
    const { failed } = this.context.strings.trials;
    const message = error instanceof Error ? error.message : String(error);
    this.fill(failed, element('p', { role: 'alert' }, message));
    this.options.showBoxes([]);
  }

  private fill(heading: string, ...content: readonly (HTMLElement | undefined)[]): void {
    const { close } = this.context.strings.trials;
    this.element.setAttribute('aria-label', heading);
    this.element.replaceChildren(
      element('h3', {}, heading),
      ...content.filter((part) => part !== undefined),
      toolButton(close, () => this.close(), { focusKey: 'close trial' }),
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
function predictionRow(
  prediction: PredictionView,
  strings: Pick<TrialStrings, 'prediction'>,
  locale: string,
): HTMLElement {
  const { label, confidence } = prediction;
  const bar = element('span', { class: 'prediction-bar', 'aria-hidden': 'true' });
  bar.style.inlineSize = `${String(Math.min(Math.max(confidence, 0), 1) * 100)}%`;
  bar.style.backgroundColor = labelColor(label);
  return element(
    'li',
    { class: 'prediction' },
    element('span', { dir: 'auto' }, formatPrediction(prediction, strings, locale)),
    element('span', { class: 'prediction-scale', 'aria-hidden': 'true' }, bar),
  );
}

/** Formats a prediction: its label and its confidence in percent. */
export function formatPrediction(
  { label, confidence }: PredictionView,
  { prediction }: Pick<TrialStrings, 'prediction'>,
  locale: string,
): string {
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  return fillPlaceholders(prediction, formatLabel(label), percent.format(confidence));
}
