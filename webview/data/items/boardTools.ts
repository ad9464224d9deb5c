import type { ItemStrings } from '../../../src/shared/data/itemStrings';
import { element } from '../../ui/elements';
import { type ToggleButton, toggleButton, toolButton } from '../../ui/toolButton';
import { type TileSize, tileSizes } from './tileSizes';

export interface BoardToolsOptions {
  readonly strings: ItemStrings;
  /** Whether thumbnails are shown, which have sizes and boxes. */
  readonly thumbnails: boolean;
  readonly setSize: (size: TileSize) => void;
  readonly setBoxes: (shown: boolean) => void;
  readonly selectAll: () => void;
  readonly selectNothing: () => void;
}

/** The row of tools over a grid or list, with how much is selected. */
export class BoardTools {
  readonly element: HTMLElement;
  private readonly sizes = new Map<TileSize, ToggleButton>();
  private readonly boxes: ToggleButton;
  private readonly selected = element('span', { class: 'selected-count faint' });
  private readonly nothing: HTMLButtonElement;

  constructor(private readonly options: BoardToolsOptions) {
    const { strings } = options;
    const { tools } = strings;
    this.boxes = toggleButton(tools.boxes, (on) => options.setBoxes(on), {
      ...{ focusKey: 'boxes', hint: tools.boxesHint },
    });
    this.nothing = toolButton(tools.selectNothing, () => options.selectNothing(), {
      focusKey: 'select nothing',
    });
    const all = toolButton(tools.selectAll, () => options.selectAll(), { focusKey: 'select all' });
    this.element = element(
      'div',
      { class: 'board-tools', role: 'toolbar', 'aria-label': tools.label },
      ...[all, this.nothing, this.selected],
      ...(options.thumbnails ? [this.sizeGroup(), this.boxes.element] : []),
    );
  }

  showSize(size: TileSize): void {
    for (const [name, toggle] of this.sizes) toggle.setOn(name === size);
  }

  showBoxes(shown: boolean): void {
    this.boxes.setOn(shown);
  }

  showSelected(text: string, some: boolean): void {
    if (this.selected.textContent !== text) this.selected.textContent = text;
    this.nothing.disabled = !some;
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
