import type { DataFilter } from '../../../src/shared/data/dataFilter';
import type { DataStart, FilterNames } from '../../../src/shared/data/dataPanel';
import { type Guarded, isBoolean, isShape } from '../../../src/shared/guards';
import { element, redrawKeepingFocus, toolButton } from '../../ui/elements';
import { localeTag } from '../../ui/format';
import { menuButton } from '../../ui/menuButton';
import type { DataContext } from '../dataContext';
import { chip, filterChips } from './filterChips';
import { FilterForm } from './filterForm';
import { toFilterKey } from './toFilterKey';

/** Debounce time within which changes are combined, in milliseconds. */
const TOGETHER = 150;
const KEPT = 'filter';

const isSavedViewState = isShape({
  open: isBoolean,
  utc: isBoolean,
});
type SavedViewState = Guarded<typeof isSavedViewState>;

/** The filter of a panel: its conditions and, on demand, all fields. */
export class FilterView {
  readonly element: HTMLElement;
  private readonly chips: HTMLElement;
  private readonly opener: HTMLButtonElement;
  private readonly clear: HTMLButtonElement;
  private readonly form: FilterForm;
  private filter: DataFilter;
  private names: FilterNames = {};
  private viewState: SavedViewState = { open: false, utc: false };
  private applying: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly context: DataContext,
    private readonly start: DataStart,
  ) {
    const { filter: strings } = context.strings;
    const saved = context.viewStates.get(KEPT);
    if (isSavedViewState(saved)) this.viewState = saved;
    this.filter = start.filter;
    this.form = this.makeForm();
    this.chips = element('div', {
      class: 'filter-chips',
      role: 'group',
      'aria-label': strings.summary,
    });
    this.opener = toolButton(strings.filter, () => this.setOpen(!this.viewState.open), {
      focusKey: 'filter',
      hint: strings.filterHint,
      class: 'opens-filter',
    });
    this.opener.setAttribute('aria-controls', this.form.element.id);
    this.clear = toolButton(strings.clearAll, () => this.change(start.opened), {
      focusKey: 'clear filter',
      hint: strings.clearAllHint,
    });
    this.element = element(
      'div',
      { class: 'filter' },
      element('div', { class: 'filter-bar' }, this.opener, this.chips, this.clear, this.menu()),
      this.form.element,
    );
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.viewState.open) return;
      event.preventDefault();
      this.setOpen(false);
      this.opener.focus();
    });
    this.setOpen(this.viewState.open);
    this.draw();
  }

  /** Shows an applied filter. */
  show(filter: DataFilter): void {
    if (this.applying !== undefined) return;
    this.filter = filter;
    this.draw();
  }

  /** Sets the names of the resources that the filter refers to. */
  name(names: FilterNames): void {
    this.names = { ...this.names, ...names };
    this.draw();
  }

  private makeForm(): FilterForm {
    const { strings, host } = this.context;
    return new FilterForm({
      strings: strings.filter,
      utc: this.viewState.utc,
      onChange: (change) => this.change({ ...this.filter, ...change }),
      onZone: (utc) => {
        this.saveViewState({ utc });
        this.draw();
      },
      onPick: (kind) => host.send('pickPlace', { kind }),
      complete: (field, text, signal) => host.request('complete', { field, text }, signal),
    });
  }

  private menu(): HTMLElement {
    const { strings, host } = this.context;
    const { more, save, openSaved, copyLink, queryReadings } = strings.filter;
    // Apply the shown filter first, because the host would otherwise use the previous filter.
    const send = (message: 'saveFilter' | 'copyLink' | 'queryReadings'): void => {
      this.apply();
      host.send(message, undefined);
    };
    return menuButton(
      more,
      () => [
        { label: save, onPress: () => send('saveFilter') },
        { label: openSaved, onPress: () => host.send('openSavedFilter', undefined) },
        { label: copyLink, onPress: () => send('copyLink') },
        { label: queryReadings, onPress: () => send('queryReadings') },
      ],
      { focusKey: 'more of filter' },
    );
  }

  private draw(): void {
    const { strings, locale } = this.context;
    const { filter, names } = this;
    const texts = {
      strings: strings.filter,
      names,
      locale: localeTag(locale),
      utc: this.viewState.utc,
    };
    redrawKeepingFocus(
      this.chips,
      () =>
        this.chips.replaceChildren(
          ...filterChips(filter, texts).map(({ without, ...rest }) =>
            chip({
              ...rest,
              removeText: strings.filter.remove,
              onRemove: without && (() => this.change(without)),
            }),
          ),
        ),
      () => this.opener,
    );
    this.clear.hidden = sameFilter(filter, this.start.opened);
    this.form.show(filter, names);
  }

  /**
   * Restores the filter with which the panel was opened; undefined if that filter already applies.
   */
  get restore(): (() => void) | undefined {
    const { opened } = this.start;
    return sameFilter(this.filter, opened) ? undefined : () => this.change(opened);
  }

  /** Shows a filter immediately, and applies it after the debounce time. */
  private change(filter: DataFilter): void {
    if (sameFilter(filter, this.filter)) return;
    const hadFocus = document.activeElement === this.clear;
    this.filter = filter;
    this.draw();
    if (hadFocus) this.opener.focus();
    clearTimeout(this.applying);
    this.applying = setTimeout(() => this.apply(), TOGETHER);
  }

  /** Applies the shown filter if it isn't applied yet. */
  private apply(): void {
    if (this.applying === undefined) return;
    clearTimeout(this.applying);
    this.applying = undefined;
    this.context.host.send('setFilter', { filter: this.filter });
  }

  private setOpen(open: boolean): void {
    this.form.element.hidden = !open;
    this.opener.setAttribute('aria-expanded', String(open));
    if (open !== this.viewState.open) {
      this.saveViewState({ open });
      if (open) this.form.focus();
    }
  }

  private saveViewState(change: Partial<SavedViewState>): void {
    this.viewState = { ...this.viewState, ...change };
    this.context.viewStates.set(KEPT, this.viewState);
  }
}

function sameFilter(one: DataFilter, other: DataFilter): boolean {
  return toFilterKey(one) === toFilterKey(other);
}
