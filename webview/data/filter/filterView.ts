import * as l10n from '@vscode/l10n';
import type { DataFilter } from '../../../src/shared/data/dataFilter';
import type { DataStart, FilterNames } from '../../../src/shared/data/dataPanel';
import { type Guarded, isBoolean, isShape } from '../../../src/shared/guards';
import { element, redrawKeepingFocus, toolButton } from '../../ui/elements';
import { localeTag } from '../../ui/format';
import { menuButton } from '../../ui/menuButton';
import type { DataContext } from '../dataContext';
import { chip, filterChips } from './filterChips';
import { FilterForm } from './filterForm';

/** Returns a key that is identical for equal filters, regardless of property order. */
export function toFilterKey(filter: DataFilter): string {
  return JSON.stringify(
    Object.entries(filter).toSorted(([one], [other]) => one.localeCompare(other)),
  );
}

/** Debounce time within which changes are combined, in milliseconds. */
const TOGETHER = 150;
const STATE_KEY = 'filter';

const isSavedViewState = isShape({
  open: isBoolean,
  utc: isBoolean,
});
type SavedViewState = Guarded<typeof isSavedViewState>;

/** A panel's filter: its conditions and, on demand, all fields. */
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
    const saved = context.viewStates.get(STATE_KEY);
    if (isSavedViewState(saved)) this.viewState = saved;
    this.filter = start.filter;
    this.form = this.makeForm();
    this.chips = element('div', {
      class: 'filter-chips',
      role: 'group',
      'aria-label': l10n.t('Active filters'),
    });
    this.opener = toolButton(l10n.t('Filter'), () => this.setOpen(!this.viewState.open), {
      focusKey: 'filter',
      hint: l10n.t('Show or hide filter options'),
      class: 'opens-filter',
    });
    this.opener.setAttribute('aria-controls', this.form.element.id);
    this.clear = toolButton(l10n.t('Clear All'), () => this.change(start.opened), {
      focusKey: 'clear filter',
      hint: l10n.t('Restore the initial filter'),
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
    const { host } = this.context;
    return new FilterForm({
      utc: this.viewState.utc,
      onChange: (change) => this.change({ ...this.filter, ...change }),
      onZone: (utc) => {
        this.saveViewState({ utc });
        this.draw();
      },
      onPick: (kind) => host.send('promptForFilterTarget', { kind }),
      complete: (field, text, signal) => host.request('complete', { field, text }, signal),
    });
  }

  private menu(): HTMLElement {
    const { host } = this.context;
    // Apply the shown filter first, because the host would otherwise use the previous filter.
    const send = (message: 'saveFilter' | 'copyLink' | 'queryReadings'): void => {
      this.apply();
      host.send(message, undefined);
    };
    return menuButton(
      l10n.t('More'),
      () => [
        { label: l10n.t('Save Filter…'), onPress: () => send('saveFilter') },
        {
          label: l10n.t('Open Saved Filter…'),
          onPress: () => host.send('openSavedFilter', undefined),
        },
        { label: l10n.t('Copy Link to This View'), onPress: () => send('copyLink') },
        { label: l10n.t('Query These Readings'), onPress: () => send('queryReadings') },
      ],
      { focusKey: 'more of filter' },
    );
  }

  private draw(): void {
    const { locale } = this.context;
    const { filter, names } = this;
    const texts = {
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
              onRemove: without && (() => this.change(without)),
            }),
          ),
        ),
      // A removed chip passes the focus on.
      (key) =>
        this.chips.querySelector(`[data-focus="${CSS.escape(key)}"]`) ? undefined : this.opener,
    );
    this.clear.hidden = sameFilter(filter, this.start.opened);
    this.form.show(filter, names);
  }

  /**
   * Function that restores the filter with which the panel was opened; undefined if that filter
   * already applies.
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
    this.context.viewStates.set(STATE_KEY, this.viewState);
  }
}

function sameFilter(one: DataFilter, other: DataFilter): boolean {
  return toFilterKey(one) === toFilterKey(other);
}
