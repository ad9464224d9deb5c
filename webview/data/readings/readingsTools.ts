import * as l10n from '@vscode/l10n';
import { type ReadingOrder, readingOrders } from '../../../src/shared/data/readings';
import { element, type ToggleButton, toggleButton, toolButton } from '../../ui/elements';
import { menuButton } from '../../ui/menuButton';
import {
  type Guarded,
  isBoolean,
  isListOf,
  isOneOf,
  isOptional,
  isShape,
  isString,
} from '../../../src/shared/guards';
import type { ViewStateStore } from '../../ui/createViewStateStore';

/** Views of the readings tab. */
export type ReadingsMode = 'table' | 'chart' | 'latest';

const MODES: readonly ReadingsMode[] = ['table', 'chart', 'latest'];

export interface ToolActions {
  readonly setMode: (mode: ReadingsMode) => void;
  readonly chooseColumns: () => void;
  readonly exportAll: () => void;
  readonly setOrder: (order: ReadingOrder) => void;
  readonly setUtc: (utc: boolean) => void;
  readonly copyCell: () => void;
  readonly copyRows: (format: 'tsv' | 'json' | 'markdown') => void;
}

export interface ToolFacts {
  readonly mode: ReadingsMode;
  readonly order: ReadingOrder;
  readonly utc: boolean;
  readonly isEmpty: boolean;
}

/** Toolbar of the readings tab. */
export class ReadingsTools {
  readonly element: HTMLElement;
  private readonly modes = new Map<ReadingsMode, ToggleButton>();
  private readonly columns: HTMLButtonElement;

  constructor(actions: ToolActions, facts: () => ToolFacts) {
    const names = {
      table: l10n.t('Table'),
      chart: l10n.t('Chart'),
      latest: l10n.t('Latest Values'),
    };
    for (const mode of MODES) {
      const focusKey = `readings ${mode}`;
      this.modes.set(
        mode,
        toggleButton(names[mode], () => actions.setMode(mode), { focusKey }),
      );
    }
    const switches = element('div', {
      class: 'mode-switch',
      role: 'group',
      'aria-label': l10n.t('Show readings as'),
    });
    switches.append(...[...this.modes.values()].map((toggle) => toggle.element));
    this.columns = toolButton(l10n.t('Columns…'), () => actions.chooseColumns(), {
      focusKey: 'choose columns',
    });
    const exportAll = toolButton(l10n.t('Export All…'), () => actions.exportAll(), {
      focusKey: 'export readings',
      hint: l10n.t('Export all readings that match the filter to a file'),
    });
    const menu = menuButton(l10n.t('More'), () => this.items(actions, facts()), {
      focusKey: 'readings more',
    });
    this.element = element(
      'div',
      { class: 'readings-tools', role: 'toolbar', 'aria-label': l10n.t('Readings') },
      switches,
      this.columns,
      exportAll,
      menu,
    );
  }

  show(mode: ReadingsMode): void {
    for (const [name, toggle] of this.modes) toggle.setOn(name === mode);
    this.columns.hidden = mode !== 'table';
  }

  private items(actions: ToolActions, { mode, order, utc, isEmpty }: ToolFacts) {
    const enabled = mode === 'table' && !isEmpty;
    const orders = (['newestFirst', 'oldestFirst'] as const).map((one) => ({
      label: one === 'newestFirst' ? l10n.t('Newest First') : l10n.t('Oldest First'),
      checked: order === one,
      onPress: () => actions.setOrder(one),
    }));
    return [
      ...orders,
      { label: l10n.t('Show Times in UTC'), checked: utc, onPress: () => actions.setUtc(!utc) },
      { label: l10n.t('Copy Cell'), enabled, onPress: () => actions.copyCell() },
      { label: l10n.t('Copy Rows with Headers'), enabled, onPress: () => actions.copyRows('tsv') },
      { label: l10n.t('Copy Rows as JSON'), enabled, onPress: () => actions.copyRows('json') },
      {
        label: l10n.t('Copy Rows as Markdown'),
        enabled,
        onPress: () => actions.copyRows('markdown'),
      },
    ];
  }
}

const isViewState = isShape({
  order: isOptional(isOneOf(...readingOrders)),
  utc: isOptional(isBoolean),
  /** Names of the hidden columns. */
  hidden: isOptional(isListOf(isString)),
});
/** The user's view preferences for readings, which persist when the window is reloaded. */
export type ReadingsViewState = Guarded<typeof isViewState>;

const PART = 'readings';

export function getReadingsViewState(viewStates: ViewStateStore): ReadingsViewState {
  const saved = viewStates.get(PART);
  return isViewState(saved) ? saved : {};
}

export function saveReadingsViewState(viewStates: ViewStateStore, change: ReadingsViewState): void {
  viewStates.set(PART, { ...getReadingsViewState(viewStates), ...change });
}
