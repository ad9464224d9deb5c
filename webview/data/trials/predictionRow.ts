import type { PredictionView, TrialStrings } from '../../../src/shared/data/trials';
import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { labelColor } from '../boxes/labelColor';
import { formatLabel } from '../boxes/formatLabel';

/** Creates a row that shows a prediction as text and its confidence as a bar. */
export function predictionRow(
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
