import * as l10n from '@vscode/l10n';
import type { EditedBox } from '../../../src/shared/data/boxes';
import { element, type ToggleButton, toggleButton, toolButton } from '../../ui/elements';
import type { BoxDisplay } from './annotator';
import type { Size } from './boxGeometry';
import type { KeyedActs } from './boxKeys';
import { formatLabel } from './boxLabels';

const ZOOM = 1.25;

interface StageState {
  readonly boxes: readonly EditedBox[];
  readonly display: BoxDisplay;
  readonly isSaving: boolean;
  readonly readOnly: boolean;
  /** Reason that the connection is read-only; undefined if changes are allowed. */
  readonly readOnlyReason?: string | undefined;
  readonly canEdit: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** The toolbar above an image, and its status. */
export class StageTools {
  readonly element: HTMLElement;
  private readonly zoomText = element('output', { class: 'image-zoom' });
  private readonly sizeText = element('span', { class: 'faint image-size' });
  private readonly saveText = element('span', { class: 'box-saving', role: 'status' });
  private readonly editing: HTMLElement;
  private readonly labels: ToggleButton;
  private readonly filter: LabelFilter;
  private readonly draw: HTMLButtonElement;
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  private readonly percent: Intl.NumberFormat;
  private readonly number: Intl.NumberFormat;
  private hasSaved = false;

  constructor(locale: string, acts: KeyedActs, onIsolate: (label: string | undefined) => void) {
    this.percent = new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 3 });
    this.number = new Intl.NumberFormat(locale);
    const tool = (
      label: string,
      onPress: () => void,
      focusKey: string,
      keys: string,
      hint = label,
    ) => toolButton(label, onPress, { focusKey, hint: `${hint} (${keys})` });
    const zoomOut = tool('−', () => acts.zoom(1 / ZOOM), 'zoom out', '−', l10n.t('Zoom Out'));
    const zoomIn = tool('+', () => acts.zoom(ZOOM), 'zoom in', '+', l10n.t('Zoom In'));
    zoomOut.setAttribute('aria-label', l10n.t('Zoom Out'));
    zoomIn.setAttribute('aria-label', l10n.t('Zoom In'));
    this.draw = tool(l10n.t('Draw Box'), () => acts.drawBox(), 'draw', 'B');
    this.undo = tool(l10n.t('Undo'), () => acts.undo(), 'undo', 'Ctrl+Z');
    this.redo = tool(l10n.t('Redo'), () => acts.redo(), 'redo', 'Ctrl+Y');
    this.editing = element('div', { class: 'image-tool-group' }, this.draw, this.undo, this.redo);
    this.labels = toggleButton(l10n.t('Labels'), () => acts.toggleLabels(), {
      focusKey: 'labels',
      hint: `${l10n.t('Show labels on boxes')} (L)`,
    });
    this.filter = new LabelFilter(locale, onIsolate);
    this.element = element(
      'div',
      { class: 'image-tools', role: 'group', 'aria-label': l10n.t('Image tools') },
      element(
        'div',
        { class: 'image-tool-group' },
        tool(l10n.t('Fit'), () => acts.fit(), 'fit', '0'),
        tool(l10n.t('100%'), () => acts.showActualSize(), 'actual size', 'A'),
        zoomOut,
        this.zoomText,
        zoomIn,
      ),
      element('div', { class: 'image-tool-group' }, this.labels.element, this.filter.element),
      this.editing,
      this.saveText,
      this.sizeText,
      tool(l10n.t('Shortcuts'), () => acts.toggleHelp(), 'keys', '?'),
    );
  }

  /** Called when an image is shown, before any change to it is saved. */
  setImage(image: Size): void {
    this.hasSaved = false;
    const { width, height } = image;
    this.sizeText.textContent = l10n.t(
      '{0} × {1} pixels',
      this.number.format(width),
      this.number.format(height),
    );
  }

  setZoom(zoom: number): void {
    const text = this.percent.format(zoom);
    if (this.zoomText.textContent !== text) this.zoomText.textContent = text;
  }

  show(options: StageState): void {
    this.editing.hidden = options.readOnly;
    this.labels.setOn(options.display.areLabelsShown);
    this.filter.show(options.boxes, options.display.isolatedLabel);
    setEnabled(this.draw, options.canEdit);
    setEnabled(this.undo, options.canUndo);
    setEnabled(this.redo, options.canRedo);
    const text = options.readOnly
      ? (options.readOnlyReason ?? l10n.t("Your API key doesn't have permission to edit boxes."))
      : this.saving(options);
    if (this.saveText.textContent !== text) this.saveText.textContent = text;
  }

  private saving({ boxes, isSaving }: Pick<StageState, 'boxes' | 'isSaving'>): string {
    const unsaved = boxes.filter(({ state }) => state === 'failed' || state === 'half').length;
    if (unsaved > 0) {
      const count = this.number.format(unsaved);
      return unsaved === 1
        ? l10n.t('{0} box not saved', count)
        : l10n.t('{0} boxes not saved', count);
    }
    if (isSaving) {
      this.hasSaved = true;
      return l10n.t('Saving…');
    }
    return this.hasSaved ? l10n.t('Saved') : '';
  }
}

/**
 * Enables or disables a button without the `disabled` attribute, so that a button that becomes
 * unavailable keeps focus.
 */
function setEnabled(button: HTMLElement, enabled: boolean): void {
  button.setAttribute('aria-disabled', String(!enabled));
}

/** Maximum length of an option in characters. */
const MAX_OPTION_LENGTH = 32;

/**
 * A control to select the label whose boxes are shown. It is hidden for images with fewer than two
 * labels.
 */
class LabelFilter {
  readonly element: HTMLSelectElement;
  private labels: readonly string[] = [];
  private shown = '';
  private readonly number: Intl.NumberFormat;

  constructor(locale: string, onIsolate: (label: string | undefined) => void) {
    this.number = new Intl.NumberFormat(locale);
    this.element = element('select', {
      class: 'label-filter',
      'aria-label': l10n.t('Show boxes with one label'),
      title: `${l10n.t('Show boxes with one label')} (I)`,
      'data-focus': 'label filter',
    });
    this.element.addEventListener('change', () =>
      // The first option represents all labels.
      onIsolate(this.labels[this.element.selectedIndex - 1]),
    );
  }

  show(boxes: readonly EditedBox[], isolated: string | undefined): void {
    const counts = new Map<string, number>();
    if (isolated !== undefined) counts.set(isolated, 0);
    for (const { label } of boxes) counts.set(label, (counts.get(label) ?? 0) + 1);
    const labels = [...counts.keys()].sort();
    const shown = JSON.stringify(labels.map((label) => [label, counts.get(label)]));
    if (shown !== this.shown) this.draw(labels, counts);
    this.shown = shown;
    this.labels = labels;
    this.element.selectedIndex = isolated === undefined ? 0 : labels.indexOf(isolated) + 1;
    this.element.hidden = labels.length < 2 && isolated === undefined;
  }

  private draw(labels: readonly string[], counts: ReadonlyMap<string, number>): void {
    const options = labels.map((label) => {
      const count = this.number.format(counts.get(label) ?? 0);
      const text = l10n.t('{0} ({1})', formatLabel(label, MAX_OPTION_LENGTH), count);
      return element('option', {}, text);
    });
    this.element.replaceChildren(element('option', {}, l10n.t('All labels')), ...options);
  }
}

/** Description of the keys, shown next to the image. */
export class KeyHelp {
  readonly element: HTMLElement;

  constructor(private readonly onClose: () => void) {
    const rows = getShortcuts().flatMap(({ keys, does }) => [
      element('dt', {}, element('kbd', {}, keysHere(keys))),
      element('dd', {}, does),
    ]);
    const close = toolButton(l10n.t('Close'), () => this.hide(), { focusKey: 'close keys' });
    this.element = element(
      'section',
      { class: 'key-help', 'aria-label': l10n.t('Shortcuts'), tabindex: '-1' },
      element('div', { class: 'box-heading' }, l10n.t('Shortcuts')),
      element('dl', {}, ...rows),
      close,
    );
    this.element.hidden = true;
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  show(): void {
    this.element.hidden = false;
    this.element.focus();
  }

  hide(): void {
    this.element.hidden = true;
    this.onClose();
  }
}

/**
 * Replaces the names of keys with the names on this platform, because macOS uses different names.
 */
function keysHere(keys: string): string {
  if (!navigator.platform.startsWith('Mac')) return keys;
  return keys.replaceAll('Ctrl+', '⌘').replaceAll('Alt+', '⌥').replaceAll('Shift+', '⇧');
}

/** Returns the keyboard shortcuts and their descriptions, in display order. */
function getShortcuts(): readonly { readonly keys: string; readonly does: string }[] {
  return [
    { keys: '+  −', does: l10n.t('Zoom in and out (or use the mouse wheel)') },
    { keys: '0  A', does: l10n.t('Fit the image to the view, or show it at actual size') },
    { keys: '← → ↑ ↓', does: l10n.t('Move the view; with a box selected, move the box') },
    { keys: 'Shift+← → ↑ ↓', does: l10n.t('Move in larger steps') },
    { keys: 'Alt+← → ↑ ↓', does: l10n.t('Resize the selected box (with Shift, in larger steps)') },
    {
      keys: 'Tab  Shift+Tab',
      does: l10n.t('Next or previous box; after the last box, leave the image'),
    },
    {
      keys: 'B',
      does: l10n.t('Draw a box in the center of the visible area (or drag on the image)'),
    },
    { keys: '1 – 9', does: l10n.t('Assign the label with this number to the box') },
    { keys: 'Enter', does: l10n.t('Type a label for the box') },
    { keys: 'Delete', does: l10n.t('Delete the box') },
    { keys: 'Z', does: l10n.t('Zoom to the box') },
    { keys: 'L', does: l10n.t('Show or hide the labels on boxes') },
    {
      keys: 'I',
      does: l10n.t('Show only boxes with the label of the selected box (press again to show all)'),
    },
    { keys: 'Ctrl+Z  Ctrl+Y', does: l10n.t('Undo or redo') },
    {
      keys: 'Space',
      does: l10n.t('Hold and drag to move the view, or use the middle mouse button'),
    },
    {
      keys: 'Click',
      does: l10n.t('Select the smallest box (click again for the next one under the pointer)'),
    },
    {
      keys: 'Escape',
      does: l10n.t('Cancel the current action, then clear the selection, then close the image'),
    },
    { keys: '?', does: l10n.t('Show or hide these shortcuts') },
  ];
}
