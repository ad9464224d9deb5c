import * as l10n from '@vscode/l10n';
import { element, toolButton } from '../ui/elements';
import { type LogTimes } from './logTimes';

/** Prompts the user for a time to jump to. */
export class JumpBox {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly label = element('label', { for: 'jump-time' });
  private readonly message = element('span', { class: 'jump-message', role: 'status' });

  constructor(
    private times: LogTimes,
    private readonly onJump: (at: number) => void,
    private readonly onClose: () => void,
  ) {
    this.input = element('input', {
      type: 'datetime-local',
      step: '1',
      id: 'jump-time',
      'data-focus': 'jump time',
      // Without this attribute, the browser shows no validation message for an empty input.
      required: '',
    });
    this.element = element(
      'div',
      { class: 'jump-box' },
      this.label,
      this.input,
      toolButton(l10n.t('Go'), () => this.jump(), { focusKey: 'jump' }),
      toolButton(l10n.t('Close'), () => this.close(), { focusKey: 'close jump' }),
      this.message,
    );
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => this.pressed(event));
    this.setTimes(times);
  }

  /**
   * Opens the prompt.
   * @param at initial time in milliseconds since 1970
   */
  open(at: number): void {
    this.element.hidden = false;
    this.input.value = this.times.toInput(at);
    this.showMessage('');
    this.input.focus();
  }

  /** Sets the time zone. The timestamp in the input doesn't change. */
  setTimes(times: LogTimes): void {
    const at = this.times.fromInput(this.input.value);
    this.times = times;
    this.label.textContent = l10n.t('Time ({0})', times.zone);
    if (Number.isFinite(at)) this.input.value = times.toInput(at);
  }

  showMessage(message: string): void {
    this.message.textContent = message;
  }

  private jump(): void {
    const at = this.times.fromInput(this.input.value);
    if (Number.isFinite(at)) this.onJump(at);
    else this.input.reportValidity();
  }

  private close(): void {
    this.element.hidden = true;
    this.onClose();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && event.target === this.input) this.jump();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
