import type { ItemStrings } from '../../../../src/shared/data/itemStrings';
import { element } from '../../../ui/elements';
import { fillPlaceholders } from '../../../ui/fillPlaceholders';
import { toolButton } from '../../../ui/toolButton';
import type { ItemText } from '../itemText';

/** For so many milliseconds nothing is said of a content that is being read: most are there sooner. */
const PATIENCE = 250;

/** What can be done about what is said in the place of a stage. */
export interface MessageAction {
  readonly label: string;
  readonly onPress: () => void;
}

/** A stage, or what is said in its place while there is nothing to show. */
export class StageFrame {
  readonly element: HTMLElement;
  private readonly message = element('div', { class: 'detail-message' });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private bar: HTMLProgressElement | undefined;
  private words: HTMLElement | undefined;

  constructor(
    private readonly stage: HTMLElement,
    private readonly strings: ItemStrings['detail'],
    private readonly text: ItemText,
    /** Takes the focus from the stage, which would lose it when it is hidden. */
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

  /** Says how far reading has come, after a while. */
  showReading(size: number, cancel: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.drawReading(size, cancel), PATIENCE);
  }

  /** So many bytes have come. */
  progress(bytes: number): void {
    if (!this.bar || !this.words) return;
    this.bar.value = bytes;
    const { text, strings } = this;
    this.words.textContent = fillPlaceholders(
      strings.reading,
      text.size(bytes),
      text.size(this.bar.max),
    );
  }

  /** Says something in the place of the stage. */
  say(message: string, actions: readonly MessageAction[], { isProblem = false } = {}): void {
    clearTimeout(this.timer);
    this.bar = this.words = undefined;
    const words = element('p', isProblem ? { role: 'alert' } : {}, message);
    const buttons = actions.map(({ label, onPress }) =>
      toolButton(label, onPress, { focusKey: `detail message ${label}` }),
    );
    this.message.replaceChildren(words, ...buttons);
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
    const words = element('p', {}, strings.wait);
    const stop = toolButton(strings.cancel, cancel, { focusKey: 'detail cancel' });
    this.message.replaceChildren(bar, words, stop);
    this.message.hidden = false;
    this.hideStage();
    this.bar = bar;
    this.words = words;
  }
}
