import * as l10n from '@vscode/l10n';
import type { ItemView } from '../../../src/shared/data/items';
import { element, updateText } from '../../ui/elements';
import { drawBoxes } from '../boxes/drawBoxes';
import type { PixelSize } from '../decodeImage';
import { type CellState, type ItemCell, markCell } from './itemCell';
import { type ItemFormatter, oneLine } from './createItemFormatter';
import type { Thumbnail } from './thumbnails';

/** The style that all tiles share. */
export interface TileStyle {
  readonly text: ItemFormatter;
  getThumbnail(item: ItemView): Thumbnail | undefined;
  /** Returns a thumbnail's size in CSS pixels. */
  size(): PixelSize;
  showsBoxes(): boolean;
}

interface Drawn {
  readonly item: ItemView;
  readonly thumbnail: Thumbnail | undefined;
  readonly size: PixelSize;
  readonly boxes: boolean;
}

/** An image in the grid: thumbnail, name, time, and origin. */
export class ItemTile implements ItemCell {
  readonly element: HTMLElement;
  private readonly canvas = element('canvas', { class: 'thumbnail', 'aria-hidden': 'true' });
  private readonly problem = element('span', { class: 'tile-problem' });
  /** Indicates that the thumbnail can be incomplete. */
  private readonly truncated = element('span', { class: 'tile-truncated' });
  private readonly name = element('span', { class: 'tile-name' });
  private readonly time = element('span', { class: 'tile-time faint' });
  private readonly origin = element('span', { class: 'tile-origin faint' });
  private readonly marks = element('span', { class: 'tile-marks faint' });
  private item: ItemView | undefined;
  private drawn: Drawn | undefined;

  constructor(private readonly style: TileStyle) {
    const check = element('span', { class: 'check', 'aria-hidden': 'true' });
    const picture = element(
      'span',
      { class: 'tile-picture' },
      this.canvas,
      this.problem,
      this.truncated,
    );
    this.element = element(
      'div',
      { role: 'gridcell', class: 'tile' },
      check,
      picture,
      this.name,
      this.time,
      this.origin,
      this.marks,
    );
  }

  show(index: number, item: ItemView | undefined, state: CellState): void {
    markCell(this.element, index, item, state);
    if (this.item !== item || item === undefined) this.describe(item);
    this.item = item;
    this.drawPicture();
  }

  /** Draws the thumbnail if it has changed. */
  drawPicture(): void {
    const { item, style, drawn } = this;
    if (!item) {
      this.drawn = undefined;
      this.clear(style.size());
      this.element.classList.add('waiting');
      updateText(this.problem, '');
      updateText(this.truncated, '');
      return;
    }
    const thumbnail = style.getThumbnail(item);
    const now = { item, thumbnail, size: style.size(), boxes: style.showsBoxes() };
    if (drawn?.item === item && drawn.thumbnail === thumbnail) {
      if (drawn.size === now.size && drawn.boxes === now.boxes) return;
    }
    this.drawn = now;
    this.draw(now);
  }

  private describe(item: ItemView | undefined): void {
    const { text } = this.style;
    updateText(this.name, item ? oneLine(item.name) : l10n.t('Loading…'));
    updateText(this.time, item ? text.time(item.at) : '');
    updateText(this.origin, item ? oneLine(item.origin) : '');
    updateText(this.marks, item ? this.formatMarks(item) : '');
  }

  /** Formats the number of tags and boxes on the image. */
  private formatMarks({ tags, boxes }: ItemView): string {
    const { text } = this.style;
    const marks = [
      ...(tags.length > 0 ? [text.tags(tags.length)] : []),
      ...(boxes.length > 0 ? [text.boxes(boxes.length)] : []),
    ];
    return marks.join(' · ');
  }

  private draw({ item, thumbnail, size, boxes }: Drawn): void {
    const context = this.clear(size);
    this.element.classList.toggle('waiting', thumbnail === undefined);
    updateText(this.problem, typeof thumbnail === 'string' ? getTileProblems()[thumbnail] : '');
    const image = typeof thumbnail === 'object' ? thumbnail : undefined;
    updateText(this.truncated, image?.isTruncated === true ? l10n.t('Truncated') : '');
    if (!context || !image) return;
    const { bitmap } = image;
    const scale = Math.min(
      size.width / bitmap.width,
      size.height / bitmap.height,
      // Images are never enlarged.
      1 / devicePixelRatio || 1,
    );
    const [width, height] = [bitmap.width * scale, bitmap.height * scale];
    const frame = { x: (size.width - width) / 2, y: (size.height - height) / 2, width, height };
    context.drawImage(bitmap, frame.x, frame.y, width, height);
    if (boxes) drawBoxes(context, item.boxes, frame, { labels: size.width >= 160, fontSize: 10 });
  }

  /** Setting the size of a canvas clears it. */
  private clear({ width, height }: PixelSize): CanvasRenderingContext2D | undefined {
    const { canvas } = this;
    const pixels = { width: width * devicePixelRatio, height: height * devicePixelRatio };
    const context = canvas.getContext('2d') ?? undefined;
    if (canvas.width !== Math.round(pixels.width) || canvas.height !== Math.round(pixels.height)) {
      canvas.width = Math.round(pixels.width);
      canvas.height = Math.round(pixels.height);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    context?.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context?.clearRect(0, 0, width, height);
    return context;
  }
}

/** Returns the texts that replace a thumbnail. */
function getTileProblems(): Readonly<Record<Extract<Thumbnail, string>, string>> {
  return {
    large: l10n.t('Large image · open to view it'),
    broken: l10n.t('Preview not available'),
    gone: l10n.t('Deleted'),
    damaged: l10n.t('Damaged · open for details'),
    failed: l10n.t("Couldn't load · open for details"),
  };
}
