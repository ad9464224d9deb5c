import type { ItemStrings } from '../../../../src/shared/data/itemStrings';
import type { ItemView } from '../../../../src/shared/data/items';
import { element } from '../../../ui/elements';
import { fillPlaceholders } from '../../../ui/fillPlaceholders';
import { oneLine } from '../createItemFormatter';
import { decodeFileText } from './decodeFileText';
import type { ItemStage } from './itemStage';

/** Shows a file as text if it is text; never executes or renders it. */
export class FileStage implements ItemStage {
  readonly element = element('div', { class: 'file-stage' });

  constructor(private readonly strings: ItemStrings['detail']) {}

  show(item: ItemView, bytes: ArrayBuffer): Promise<void> {
    const text = bytes.byteLength === 0 ? undefined : decodeFileText(bytes);
    const { emptyFile, noText, textLabel: textOf } = this.strings;
    if (text === undefined) {
      const why = bytes.byteLength === 0 ? emptyFile : noText;
      this.element.replaceChildren(element('p', { class: 'detail-message' }, why));
    } else {
      const label = fillPlaceholders(textOf, oneLine(item.name));
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
