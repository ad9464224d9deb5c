import type { JobProgress, PageJob } from '../../src/shared/training';
import { element } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import type { TrainingContext } from './trainingContext';

/** Progress bar of a running job. */
export class ProgressBar {
  readonly element: HTMLElement;
  private readonly bar: HTMLElement;
  private readonly filled = element('div', { class: 'progress-filled' });
  private readonly text = element('span', { class: 'progress-text' });

  constructor(private readonly context: Pick<TrainingContext, 'strings' | 'locale'>) {
    const label = context.strings.detail.progress;
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
    const template = this.context.strings.detail.epochs;
    const text = fillPlaceholders(template, number(epoch), number(epochs));
    this.filled.style.inlineSize = `${String(share * 100)}%`;
    this.bar.setAttribute('aria-valuenow', String(Math.round(share * 100)));
    this.bar.setAttribute('aria-valuetext', text);
    if (this.text.textContent !== text) this.text.textContent = text;
  }
}
