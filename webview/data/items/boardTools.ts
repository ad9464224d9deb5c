import * as l10n from '@vscode/l10n';
import { element, type ToggleButton, toggleButton, toolButton } from '../../ui/elements';
import type { PixelSize } from '../decodeImage';
import { type Guarded, isBoolean, isOneOf, isOptional, isShape } from '../../../src/shared/guards';
import type { ViewStateStore } from '../../ui/createViewStateStore';

export interface BoardToolsOptions {
  /** True if the list shows thumbnails, which have selectable sizes and boxes. */
  readonly thumbnails: boolean;
  readonly setSize: (size: TileSize) => void;
  readonly setBoxes: (shown: boolean) => void;
  readonly selectAll: () => void;
}

/** The toolbar for a grid or list. */
export class BoardTools {
  readonly element: HTMLElement;
  private readonly sizes = new Map<TileSize, ToggleButton>();
  private readonly boxes: ToggleButton;

  constructor(private readonly options: BoardToolsOptions) {
    this.boxes = toggleButton(l10n.t('Boxes'), (on) => options.setBoxes(on), {
      focusKey: 'boxes',
      hint: l10n.t('Show boxes on image thumbnails'),
    });
    const all = toolButton(l10n.t('Select All'), () => options.selectAll(), {
      focusKey: 'select all',
    });
    this.element = element(
      'div',
      { class: 'board-tools', role: 'toolbar', 'aria-label': l10n.t('Layout of the items') },
      all,
      ...(options.thumbnails ? [this.sizeGroup(), this.boxes.element] : []),
    );
  }

  showSize(size: TileSize): void {
    for (const [name, toggle] of this.sizes) toggle.setOn(name === size);
  }

  showBoxes(shown: boolean): void {
    this.boxes.setOn(shown);
  }

  private sizeGroup(): HTMLElement {
    const { setSize } = this.options;
    const group = element('span', {
      class: 'sizes',
      role: 'group',
      'aria-label': l10n.t('Thumbnail size'),
    });
    for (const size of Object.keys(tileSizes) as TileSize[]) {
      const made = toggleButton(getSizeNames()[size], () => setSize(size), {
        focusKey: `size ${size}`,
      });
      this.sizes.set(size, made);
      group.append(made.element);
    }
    return group;
  }
}

/** Thumbnail sizes in CSS pixels. */
export const tileSizes = {
  small: { width: 112, height: 84 },
  medium: { width: 176, height: 132 },
  large: { width: 272, height: 204 },
} as const satisfies Readonly<Record<string, PixelSize>>;

export type TileSize = keyof typeof tileSizes;

/** Horizontal space that a tile needs in addition to its thumbnail. */
export const TILE_PADDING = 16;

const isViewState = isShape({
  size: isOptional(isOneOf('small', 'medium', 'large')),
  boxes: isOptional(isBoolean),
  /** True to show the details next to the open item. */
  facts: isOptional(isBoolean),
});
/** The user's view preferences for items. */
export type ItemsViewState = Guarded<typeof isViewState>;

const PART = 'items';

export function getItemsViewState(viewStates: ViewStateStore): ItemsViewState {
  const saved = viewStates.get(PART);
  return isViewState(saved) ? saved : {};
}

export function saveItemsViewState(viewStates: ViewStateStore, change: ItemsViewState): void {
  viewStates.set(PART, { ...getItemsViewState(viewStates), ...change });
}

/** Returns the names of the thumbnail sizes. */
function getSizeNames(): Readonly<Record<TileSize, string>> {
  return { small: l10n.t('Small'), medium: l10n.t('Medium'), large: l10n.t('Large') };
}
