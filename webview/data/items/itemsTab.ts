import type { ItemPlacement } from '../../../src/shared/data/items';
import { element } from '../../ui/elements';
import type { DataContext } from '../dataContext';
import type { Shown, TabView } from '../tabView';

/** The items of one place. */
export class ItemsTab implements TabView {
  readonly element = element('div', { class: 'items' });

  constructor(
    private readonly context: DataContext,
    private readonly placement: ItemPlacement,
  ) {}

  show({ generation, count }: Shown): void {
    if (count === undefined) return;
    const range = { generation, placement: this.placement, start: 0, end: Math.min(count, 100) };
    void this.context.host.request('items', range).then(({ items }) => {
      this.element.replaceChildren(
        ...items.map(({ name, origin }) => element('div', {}, `${name} ${origin}`)),
      );
    });
  }

  leave(): Promise<boolean> {
    return Promise.resolve(true);
  }

  focus(): void {
    this.element.focus();
  }
}
