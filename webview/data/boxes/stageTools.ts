import type { BoxStrings, EditedBox } from '../../../src/shared/data/boxes';
import { element, type ToggleButton, toggleButton, toolButton } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/format';
import type { BoxDisplay } from './annotator';
import type { Size } from './boxGeometry';
import type { KeyedActs } from './boxKeys';
import { formatLabel } from './formatLabel';

const ZOOM = 1.25;

interface StageState {
  readonly boxes: readonly EditedBox[];
  readonly display: BoxDisplay;
  readonly isSaving: boolean;
  readonly readOnly: boolean;
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

  constructor(
    private readonly strings: BoxStrings,
    locale: string,
    acts: KeyedActs,
    onIsolate: (label: string | undefined) => void,
  ) {
    this.percent = new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 3 });
    this.number = new Intl.NumberFormat(locale);
    const tool = (
      label: string,
      onPress: () => void,
      focusKey: string,
      keys: string,
      hint = label,
    ) => toolButton(label, onPress, { focusKey, hint: `${hint} (${keys})` });
    const zoomOut = tool('−', () => acts.zoom(1 / ZOOM), 'zoom out', '−', strings.zoomOut);
    const zoomIn = tool('+', () => acts.zoom(ZOOM), 'zoom in', '+', strings.zoomIn);
    zoomOut.setAttribute('aria-label', strings.zoomOut);
    zoomIn.setAttribute('aria-label', strings.zoomIn);
    this.draw = tool(strings.drawBox, () => acts.drawBox(), 'draw', 'B');
    this.undo = tool(strings.undo, () => acts.undo(), 'undo', 'Ctrl+Z');
    this.redo = tool(strings.redo, () => acts.redo(), 'redo', 'Ctrl+Y');
    this.editing = element('div', { class: 'image-tool-group' }, this.draw, this.undo, this.redo);
    this.labels = toggleButton(strings.labels, () => acts.toggleLabels(), {
      focusKey: 'labels',
      hint: `${strings.showLabels} (L)`,
    });
    this.filter = new LabelFilter(strings, locale, onIsolate);
    this.element = element(
      'div',
      { class: 'image-tools', role: 'group', 'aria-label': strings.tools },
      element(
        'div',
        { class: 'image-tool-group' },
        tool(strings.fit, () => acts.fit(), 'fit', '0'),
        tool(strings.actualSize, () => acts.showActualSize(), 'actual size', 'A'),
        zoomOut,
        this.zoomText,
        zoomIn,
      ),
      element('div', { class: 'image-tool-group' }, this.labels.element, this.filter.element),
      this.editing,
      this.saveText,
      this.sizeText,
      tool(strings.keys, () => acts.toggleHelp(), 'keys', '?'),
    );
  }

  /** Called when an image is shown, before any change to it is saved. */
  setImage(image: Size): void {
    this.hasSaved = false;
    const { width, height } = image;
    this.sizeText.textContent = fillPlaceholders(
      this.strings.size,
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
    const text = options.readOnly ? this.strings.readOnly : this.saving(options);
    if (this.saveText.textContent !== text) this.saveText.textContent = text;
  }

  private saving({ boxes, isSaving }: Pick<StageState, 'boxes' | 'isSaving'>): string {
    const { strings } = this;
    const unsaved = boxes.filter(({ state }) => state === 'failed' || state === 'half').length;
    if (unsaved > 0) {
      const sentence = unsaved === 1 ? strings.notSavedOne : strings.notSaved;
      return fillPlaceholders(sentence, this.number.format(unsaved));
    }
    if (isSaving) {
      this.hasSaved = true;
      return strings.saving;
    }
    return this.hasSaved ? strings.saved : '';
  }
}

/**
 * Enables or disables a button without the `disabled` attribute, so that a button that becomes
 * unavailable keeps the focus.
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

  constructor(
    private readonly strings: BoxStrings,
    locale: string,
    onIsolate: (label: string | undefined) => void,
  ) {
    this.number = new Intl.NumberFormat(locale);
    this.element = element('select', {
      class: 'label-filter',
      'aria-label': strings.isolate,
      title: `${strings.isolate} (I)`,
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
      const text = fillPlaceholders(
        this.strings.labelCount,
        formatLabel(label, MAX_OPTION_LENGTH),
        count,
      );
      return element('option', {}, text);
    });
    this.element.replaceChildren(element('option', {}, this.strings.allLabels), ...options);
  }
}

/** Description of the keys, shown next to the image. */
export class KeyHelp {
  readonly element: HTMLElement;

  constructor(
    strings: BoxStrings,
    private readonly onClose: () => void,
  ) {
    const rows = strings.help.flatMap(({ keys, does }) => [
      element('dt', {}, element('kbd', {}, keysHere(keys))),
      element('dd', {}, does),
    ]);
    const close = toolButton(strings.close, () => this.hide(), { focusKey: 'close keys' });
    this.element = element(
      'section',
      { class: 'key-help', 'aria-label': strings.keys, tabindex: '-1' },
      element('div', { class: 'box-heading' }, strings.keys),
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

/** Replaces the names of keys with those of this platform, because they differ on macOS. */
function keysHere(keys: string): string {
  if (!navigator.platform.startsWith('Mac')) return keys;
  return keys.replaceAll('Ctrl+', '⌘').replaceAll('Alt+', '⌥').replaceAll('Shift+', '⇧');
}
