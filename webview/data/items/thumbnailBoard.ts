import type { ItemView } from '../../../src/shared/data/items';
import type { DataContext } from '../dataContext';
import { ItemBoard, type ItemBoardOptions } from './itemBoard';
import { createItemFormatter } from './createItemFormatter';
import { ItemTile } from './itemTile';
import { Thumbnails } from './thumbnails';
import { TILE_PADDING, type TileSize, tileSizes } from './boardTools';

/** Time in milliseconds without scrolling after which the board is at rest. */
const DEBOUNCE_MS = 100;

/** A grid of images that loads the thumbnails of the visible images. */
export class ThumbnailBoard {
  readonly board: ItemBoard;
  private readonly thumbnails: Thumbnails;
  private readonly indexById = new Map<string, number>();
  private size: TileSize = 'medium';
  private boxes = false;
  private scrolledAt = -Infinity;
  /** The pixel ratio for which the thumbnails were decoded. */
  private pixelRatio = devicePixelRatio;

  constructor(
    { host, locale }: Pick<DataContext, 'host' | 'locale'>,
    options: Omit<ItemBoardOptions, 'layout' | 'cellWidth' | 'makeCell' | 'seenChanged'>,
  ) {
    this.thumbnails = new Thumbnails({
      load: async (id, signal) => (await host.request('thumbnail', { id }, signal)).bytes,
      size: () => {
        const { width, height } = tileSizes[this.size];
        return {
          width: Math.round(width * devicePixelRatio),
          height: Math.round(height * devicePixelRatio),
        };
      },
      changed: (id) => this.drawThumbnail(id),
    });
    const style = {
      text: createItemFormatter(locale),
      getThumbnail: (item: ItemView) => this.thumbnails.of(item),
      size: () => tileSizes[this.size],
      showsBoxes: () => this.boxes,
    };
    this.board = new ItemBoard({
      ...options,
      layout: 'cells',
      cellWidth: () => tileSizes[this.size].width + TILE_PADDING,
      makeCell: () => new ItemTile(style),
      seenChanged: () => this.seenChanged(),
    });
    this.board.scroller.addEventListener('scroll', () => (this.scrolledAt = performance.now()), {
      passive: true,
    });
    this.setSize(this.size);
  }

  setSize(size: TileSize): void {
    this.size = size;
    this.board.element.dataset.size = size;
    this.thumbnails.clear();
    this.board.fit();
  }

  setBoxes(shown: boolean): void {
    this.boxes = shown;
    this.board.refresh();
  }

  /** Stops loading until the next drawing. */
  stop(): void {
    this.thumbnails.stop();
  }

  private seenChanged(): void {
    if (this.pixelRatio !== devicePixelRatio) {
      this.pixelRatio = devicePixelRatio;
      this.thumbnails.clear();
      this.board.refresh();
      return;
    }
    const seen = this.board.seenItems;
    this.indexById.clear();
    for (const { id, index } of seen) this.indexById.set(id, index);
    this.thumbnails.request(seen, performance.now() - this.scrolledAt > DEBOUNCE_MS);
  }

  private drawThumbnail(id: string): void {
    const index = this.indexById.get(id);
    const cell = index === undefined ? undefined : this.board.cellAt(index);
    if (cell instanceof ItemTile) cell.drawPicture();
  }
}
