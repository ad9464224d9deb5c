import * as l10n from '@vscode/l10n';
import { element, type ToggleButton, toggleButton, toolButton } from '../ui/elements';
import { menuButton, type MenuItem } from '../ui/menuButton';
import { isOneOf, isShape } from '../../src/shared/guards';
import type { ViewStateStore } from '../ui/createViewStateStore';

export interface ToolActions {
  readonly setMode: (mode: ResultMode) => void;
  readonly find: (text: string) => void;
  /** Called when the user moves from the search box to the matches. */
  readonly leaveFind: () => void;
  readonly filter: () => void;
  readonly chooseColumns: () => void;
  readonly exportAll: () => void;
  readonly items: () => readonly MenuItem[];
}

/** Debounce time before searching for the typed text, in milliseconds. */
const PAUSE = 300;

/** Toolbar of a result. */
export class ResultTools {
  readonly element: HTMLElement;
  private readonly modes = new Map<ResultMode, ToggleButton>();
  private readonly columns: HTMLButtonElement;
  private readonly findBox: HTMLInputElement;
  private pausing: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly actions: ToolActions) {
    const names = { table: l10n.t('Table'), tree: l10n.t('JSON'), chart: l10n.t('Chart') };
    for (const mode of resultModes) {
      const focusKey = `result ${mode}`;
      this.modes.set(
        mode,
        toggleButton(names[mode], () => actions.setMode(mode), { focusKey }),
      );
    }
    const switches = element(
      'div',
      { class: 'result-modes', role: 'group', 'aria-label': l10n.t('Show the result as') },
      ...[...this.modes.values()].map((toggle) => toggle.element),
    );
    this.findBox = this.makeFindBox(l10n.t('Find in rows'));
    const filter = toolButton(l10n.t('Filter…'), actions.filter, {
      focusKey: 'result filter',
      hint: l10n.t('Show only rows with specific values in a column'),
    });
    this.columns = toolButton(l10n.t('Columns…'), actions.chooseColumns, {
      focusKey: 'result columns',
    });
    const exportAll = toolButton(l10n.t('Export All…'), actions.exportAll, {
      focusKey: 'export result',
      hint: l10n.t('Export all rows of the query to a file, including rows that are not shown'),
    });
    const menu = menuButton(l10n.t('More'), actions.items, { focusKey: 'result more' });
    this.element = element(
      'div',
      { class: 'result-tools', role: 'toolbar', 'aria-label': l10n.t('Result') },
      switches,
      this.findBox,
      element('div', { class: 'tool-group' }, filter, this.columns, exportAll, menu),
    );
  }

  show(mode: ResultMode): void {
    for (const [name, toggle] of this.modes) toggle.setOn(name === mode);
    this.columns.hidden = mode !== 'table';
  }

  /** Text in the search box. */
  get findText(): string {
    return this.findBox.value;
  }

  /** Clears the search box. */
  clearFind(): void {
    this.findBox.value = '';
  }

  focusFind(): void {
    this.findBox.focus();
    this.findBox.select();
  }

  private makeFindBox(label: string): HTMLInputElement {
    const box = element('input', {
      type: 'search',
      class: 'result-find',
      placeholder: label,
      'aria-label': label,
      'data-focus': 'result find',
    });
    box.addEventListener('input', () => {
      clearTimeout(this.pausing);
      this.pausing = setTimeout(() => this.actions.find(box.value), PAUSE);
    });
    box.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && box.value !== '') box.value = '';
      else if (event.key !== 'Enter' && event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      clearTimeout(this.pausing);
      this.actions.find(box.value);
      this.actions.leaveFind();
    });
    return box;
  }
}

/** The modes in which a result can be shown. */
const resultModes = ['table', 'tree', 'chart'] as const;
export type ResultMode = (typeof resultModes)[number];

/** Key under which the page saves the mode in which results are shown. */
const STATE_KEY = 'results';

const isSavedMode = isShape({ mode: isOneOf(...resultModes) });

/** Returns the mode that the user chose last. */
export function getSavedMode(viewStates: ViewStateStore): ResultMode {
  const before = viewStates.get(STATE_KEY);
  return isSavedMode(before) ? before.mode : 'table';
}

export function saveMode(viewStates: ViewStateStore, mode: ResultMode): void {
  viewStates.set(STATE_KEY, { mode });
}
