import type { ItemPlacement, ItemView } from '../../../../src/shared/data/items';
import { localeTag } from '../../../ui/localeTag';
import { createBoxHost } from '../../boxes/boxHost';
import { ImageStage } from '../../boxes/imageStage';
import { CloudStage } from '../../clouds/cloudStage';
import type { DataContext } from '../../dataContext';
import type { ItemStage } from './itemStage';
import type { ItemStrings } from '../../../../src/shared/data/itemStrings';
import { element } from '../../../ui/elements';
import { fillPlaceholders } from '../../../ui/fillPlaceholders';
import { oneLine } from '../createItemFormatter';

const MEBIBYTE = 1024 * 1024;

/** The stage for items of one kind. */
export interface StageConfig {
  readonly stage: ItemStage;
  /** Maximum size, in bytes, of content that the stage shows. */
  readonly mostBytes: number;
}

export function createStage(placement: ItemPlacement, context: DataContext): StageConfig {
  const { strings, locale, announce } = context;
  switch (placement) {
    case 'images':
      return {
        stage: new ImageStage({
          ...{ strings: strings.boxes, locale, announce },
          ...{ host: createBoxHost(context), readOnly: !context.canWrite },
        }),
        mostBytes: 256 * MEBIBYTE,
      };
    case 'pointClouds':
      return {
        stage: new CloudStage({
          ...{ strings: strings.clouds, locale: localeTag(locale) },
          scriptUri: context.pointCloudScript,
        }),
        mostBytes: 256 * MEBIBYTE,
      };
    case 'files':
      return { stage: new FileStage(strings.items.detail), mostBytes: MEBIBYTE };
  }
}

/** Shows a file as text if it is text; never executes or renders it. */
class FileStage implements ItemStage {
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

const ALLOWED_CONTROLS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

/** Decodes the text of a file; undefined if its bytes aren't valid UTF-8. */
export function decodeFileText(bytes: ArrayBuffer): string | undefined {
  const view = new Uint8Array(bytes);
  if (view.some((byte) => byte < 0x20 && !ALLOWED_CONTROLS.has(byte))) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(view);
  } catch {
    return undefined;
  }
}
