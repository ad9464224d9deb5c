import * as l10n from '@vscode/l10n';
import type { ItemPlacement, ItemView } from '../../../../src/shared/data/items';
import { localeTag } from '../../../ui/format';
import { createBoxHost } from '../../boxes/boxModel';
import { ImageStage } from '../../boxes/imageStage';
import { CloudStage } from '../../clouds/cloudStage';
import type { DataContext } from '../../dataContext';
import { element, toolButton } from '../../../ui/elements';
import { type ItemFormatter, oneLine } from '../createItemFormatter';
import type { BoxView } from '../../../../src/shared/data/boxes';
import { decodeFileText } from './decodeFileText';

/** Area that shows the content of one item. */
export interface ItemStage {
  readonly element: HTMLElement;
  show(item: ItemView, bytes: ArrayBuffer): Promise<void>;
  /** Called when another item is loading. From then on, the user can't change the shown item. */
  expectAnother?(): void;
  /** Draws the boxes that a model predicted over an image until another image is shown. */
  showPredictions?(boxes: readonly BoxView[]): void;
  /** Resolves to false if unfinished changes prevent showing other content. */
  leave(): Promise<boolean>;
  focus(): void;
  dispose(): void;
}

const MEBIBYTE = 1024 * 1024;

/** The stage for items of one kind. */
export interface StageConfig {
  readonly stage: ItemStage;
  /** Maximum size, in bytes, of content that the stage shows. */
  readonly maxBytes: number;
}

export function createStage(placement: ItemPlacement, context: DataContext): StageConfig {
  const { locale, announce } = context;
  switch (placement) {
    case 'images':
      return {
        stage: new ImageStage({
          locale,
          announce,
          host: createBoxHost(context),
          readOnly: !context.canWrite,
          readOnlyReason: context.readOnly,
        }),
        maxBytes: 256 * MEBIBYTE,
      };
    case 'pointClouds':
      return {
        stage: new CloudStage({
          locale: localeTag(locale),
          scriptUri: context.pointCloudScript,
        }),
        maxBytes: 256 * MEBIBYTE,
      };
    case 'files':
      return { stage: new FileStage(), maxBytes: MEBIBYTE };
  }
}

/** Shows a file as text if it is a text file. Never executes or renders a file. */
class FileStage implements ItemStage {
  readonly element = element('div', { class: 'file-stage' });

  show(item: ItemView, bytes: ArrayBuffer): Promise<void> {
    const text = bytes.byteLength === 0 ? undefined : decodeFileText(bytes);
    if (text === undefined) {
      const why =
        bytes.byteLength === 0
          ? l10n.t('The file is empty.')
          : l10n.t('The file is not a text file. Open it as a document, or download it.');
      this.element.replaceChildren(element('p', { class: 'detail-message' }, why));
    } else {
      const label = l10n.t('Text of {0}', oneLine(item.name));
      this.element.replaceChildren(
        element('pre', { tabindex: '0', role: 'region', 'aria-label': label }, text),
      );
    }
    return Promise.resolve();
  }

  leave(): Promise<boolean> {
    return Promise.resolve(true);
  }

  focus(): void {
    this.element.querySelector('pre')?.focus();
  }

  dispose(): void {
    this.element.remove();
  }
}

/** Time in milliseconds before the loading progress is shown. Most content arrives sooner. */
const PROGRESS_DELAY_MS = 250;

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
    private readonly text: ItemFormatter,
    /** Takes over focus from the stage, which would otherwise lose focus when it is hidden. */
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
    this.timer = setTimeout(() => this.drawReading(size, cancel), PROGRESS_DELAY_MS);
  }

  /** Updates the number of received bytes. */
  progress(bytes: number): void {
    if (!this.bar || !this.progressText) return;
    this.bar.value = bytes;
    const { text } = this;
    this.progressText.textContent = l10n.t(
      'Loaded {0} of {1}',
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
    const bar = element('progress', {
      max: String(Math.max(size, 1)),
      'aria-label': l10n.t('Loading the content…'),
    });
    const paragraph = element('p', {}, l10n.t('Loading the content…'));
    const stop = toolButton(l10n.t('Cancel'), cancel, { focusKey: 'detail cancel' });
    this.message.replaceChildren(bar, paragraph, stop);
    this.message.hidden = false;
    this.hideStage();
    this.bar = bar;
    this.progressText = paragraph;
  }
}
