import type { ItemStrings } from '../../../src/shared/data/itemStrings';
import { element } from '../../ui/elements';
import { type ToggleButton, toggleButton, toolButton } from '../../ui/toolButton';
import { type TileSize, tileSizes } from './tileSizes';

export interface BoardToolsOptions {
  readonly strings: ItemStrings;
  /** True if the list shows thumbnails, which have selectable sizes and boxes. */
  readonly thumbnails: boolean;
  readonly setSize: (size: TileSize) => void;
  readonly setBoxes: (shown: boolean) => void;
  readonly selectAll: () => void;
}

/** The toolbar of a grid or list. */
export class BoardTools {
  readonly element: HTMLElement;
  private readonly sizes = new Map<TileSize, ToggleButton>();
  private readonly boxes: ToggleButton;

  constructor(private readonly options: BoardToolsOptions) {
    const { strings } = options;
    const { tools } = strings;
    this.boxes = toggleButton(tools.boxes, (on) => options.setBoxes(on), {
      ...{ focusKey: 'boxes', hint: tools.boxesHint },
    });
    const all = toolButton(tools.selectAll, () => options.selectAll(), { focusKey: 'select all' });
    this.element = element(
      'div',
      { class: 'board-tools', role: 'toolbar', 'aria-label': tools.label },
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
    const { strings, setSize } = this.options;
    const { size: label, sizes } = strings.tools;
    const group = element('span', { class: 'sizes', role: 'group', 'aria-label': label });
    for (const size of Object.keys(tileSizes) as TileSize[]) {
      const made = toggleButton(sizes[size], () => setSize(size), { focusKey: `size ${size}` });
      this.sizes.set(size, made);
      group.append(made.element);
    }
    return group;
  }
}
