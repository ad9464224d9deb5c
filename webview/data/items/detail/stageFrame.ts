import type { ItemStrings } from '../../../../src/shared/data/itemStrings';
import { element } from '../../../ui/elements';
import { fillPlaceholders } from '../../../ui/fillPlaceholders';
import { toolButton } from '../../../ui/toolButton';
import type { ItemFormatter } from '../createItemFormatter';

/** Time in milliseconds before the loading progress is shown: most content arrives sooner. */
const PATIENCE = 250;

/** Recovery action of a message. */
export interface MessageAction {
  readonly label: string;
  readonly onPress: () => void;
}

/** A stage, or a message if there is no content to show. */
export class StageFrame {
  readonly element: HTMLElement;
  private readonly message = element('div', { class: 'detail-message' });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private bar: HTMLProgressElement | undefined;
  private progressText: HTMLElement | undefined;

  constructor(
    private readonly stage: HTMLElement,
    private readonly strings: ItemStrings['detail'],
    private readonly text: ItemFormatter,
    /**
     * Takes over the focus from the stage, which would otherwise lose the focus when it is hidden.
     */
    private readonly takeFocus: () => void,
  ) {
    this.message.hidden = true;
    this.element = element('div', { class: 'stage-frame' }, stage, this.message);
  }

  showStage(): void {
    clearTimeout(this.timer);
    this.message.hidden = true;
    this.stage.hidden = false;
  }

  /** Shows the loading progress after a delay. */
  showReading(size: number, cancel: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.drawReading(size, cancel), PATIENCE);
  }

  /** Updates the number of received bytes. */
  progress(bytes: number): void {
    if (!this.bar || !this.progressText) return;
    this.bar.value = bytes;
    const { text, strings } = this;
    this.progressText.textContent = fillPlaceholders(
      strings.reading,
      text.size(bytes),
      text.size(this.bar.max),
    );
  }

  /** Shows a message instead of the stage. */
  showMessage(
    message: string,
    actions: readonly MessageAction[],
    { isProblem = false } = {},
  ): void {
    clearTimeout(this.timer);
    this.bar = this.progressText = undefined;
    const paragraph = element('p', isProblem ? { role: 'alert' } : {}, message);
    const buttons = actions.map(({ label, onPress }) =>
      toolButton(label, onPress, { focusKey: `detail message ${label}` }),
    );
    this.message.replaceChildren(paragraph, ...buttons);
    this.message.hidden = false;
    this.hideStage();
  }

  private hideStage(): void {
    const hasFocus = this.stage.contains(document.activeElement);
    this.stage.hidden = true;
    if (hasFocus) this.takeFocus();
  }

  private drawReading(size: number, cancel: () => void): void {
    const { strings } = this;
    const bar = element('progress', { max: String(Math.max(size, 1)), 'aria-label': strings.wait });
    const paragraph = element('p', {}, strings.wait);
    const stop = toolButton(strings.cancel, cancel, { focusKey: 'detail cancel' });
    this.message.replaceChildren(bar, paragraph, stop);
    this.message.hidden = false;
    this.hideStage();
    this.bar = bar;
    this.progressText = paragraph;
  }
}
