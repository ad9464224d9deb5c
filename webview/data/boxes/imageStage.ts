import type { DisposableLike } from '../../../src/base/disposable';
import * as l10n from '@vscode/l10n';
import type { BoxView, Corners } from '../../../src/shared/data/boxes';
import type { ItemView } from '../../../src/shared/data/items';
import { element } from '../../ui/elements';
import { Annotator, BoxDisplay } from './annotator';
import { type Size, toBoxFrame } from './boxGeometry';
import { BoxAnnouncer, BoxProblems, ImageNotice } from './boxProblems';
import { type BoxHost, BoxModel } from './boxModel';
import { listenToBoxKeys, listenToStageKeys, listenToSurfaceKeys, stageActs } from './boxKeys';
import { decodeCheckedImage } from '../decodeImage';
import { KeyHelp, StageTools } from './stageTools';
import { type EntryPosition, LabelEntry } from './labelEntry';
import { formatLabel, LabelNumbers } from './boxLabels';
import { SidePane } from './sidePane';
import { Surface } from './surface';
import { SurfacePointer } from './surfacePointer';

export interface ImageStageOptions {
  readonly locale: string;
  readonly host: BoxHost;
  /** True if the API key has permission only to view boxes. */
  readonly readOnly: boolean;
  /** Reason that the connection is read-only; undefined if changes are allowed. */
  readonly readOnlyReason?: string | undefined;
  /** Announces a message to screen readers. */
  readonly announce: (text: string) => void;
}

type ShownItem = Pick<ItemView, 'id' | 'name' | 'boxes'>;

/**
 * An open image with its boxes; users can draw, change, and delete boxes with mouse and keyboard.
 */
export class ImageStage {
  readonly element: HTMLElement;
  private readonly surface: Surface;
  private readonly pointer: SurfacePointer;
  private readonly tools: StageTools;
  private readonly side: SidePane;
  private readonly problems: BoxProblems;
  private readonly entry: LabelEntry;
  private readonly help: KeyHelp;
  private readonly notice: ImageNotice;
  private readonly announcer: BoxAnnouncer;
  private readonly labels = new LabelNumbers();
  private readonly display = new BoxDisplay();
  private readonly changes: DisposableLike;
  private model: BoxModel | undefined;
  private annotator: Annotator | undefined;
  private showing = 0;
  /** Pending `leave` request, while the user decides about unsaved changes. */
  private leaving: PromiseWithResolvers<boolean> | undefined;
  /**
   * True if the user has chosen to leave anyway since the last request; this can happen before the
   * host responds.
   */
  private leavesAnyway = false;
  private returnFocus: HTMLElement | undefined;
  /** New box without a label, about which the user has been warned. */
  private draftToDrop: Corners | undefined;

  constructor(private readonly options: ImageStageOptions) {
    const { locale, host } = options;
    this.notice = new ImageNotice(locale);
    this.announcer = new BoxAnnouncer(options);
    this.surface = new Surface({ role: 'application' }, () => this.viewChanged());
    this.entry = new LabelEntry({
      labels: this.labels,
      onLabel: (label) => this.label(label),
      onMovedOn: (label) => {
        // A new box would be lost without its label, but a stored box retains the previous one.
        if (this.annotator?.draft) this.setLabel(label);
      },
      onCancel: () => this.restoreFocus(),
    });
    const acts = stageActs({
      surface: this.surface,
      annotator: () => this.annotator,
      labels: this.labels,
      display: this.display,
      redraw: () => this.draw(),
      enterLabel: () => this.enterLabel(),
      label: (label) => this.label(label),
      drawBox: () => this.drawBox(),
      toggleHelp: () => (this.help.isOpen ? this.help.hide() : this.help.show()),
    });
    this.pointer = new SurfacePointer(this.surface, {
      annotator: () => this.annotator,
      onDrawn: () => this.enterLabel(),
    });
    this.tools = new StageTools(locale, acts, (label) => this.annotator?.isolate(label));
    this.side = new SidePane({
      locale,
      acts,
      annotator: () => this.annotator,
      onLabel: (label) => this.label(label),
    });
    this.problems = new BoxProblems({
      act: (act) => this.annotator?.act(act),
      onLeave: () => this.resolveLeaving(true),
    });
    this.help = new KeyHelp(() => this.focus());
    this.element = element(
      'div',
      { class: 'image-stage' },
      this.tools.element,
      this.problems.element,
      element(
        'div',
        { class: 'image-main' },
        element(
          'div',
          { class: 'image-view' },
          this.surface.element,
          this.notice.element,
          this.entry.element,
          this.help.element,
        ),
        this.side.element,
      ),
    );
    // Before another box is drawn or selected.
    this.element.addEventListener('pointerdown', (event) => this.pressed(event), { capture: true });
    listenToSurfaceKeys(this.surface.element, acts);
    listenToBoxKeys(this.surface.element, acts);
    listenToBoxKeys(this.side.list, acts);
    listenToStageKeys(this.element, acts);
    this.element.addEventListener('keydown', (event) => this.escape(event));
    this.changes = host.onDidChange((state) => this.model?.take(state));
  }

  /** Shows an item's image and boxes, or the reason why they can't be shown. */
  async show(item: ShownItem, bytes: ArrayBuffer): Promise<void> {
    this.showing += 1;
    const { showing } = this;
    this.clear(item);
    this.notice.loading();
    const picture = await decodeCheckedImage(bytes);
    if (showing !== this.showing) {
      if ('bitmap' in picture) picture.bitmap.close();
      return;
    }
    if (!('bitmap' in picture)) {
      this.notice.showProblem(picture);
      return;
    }
    const { bitmap } = picture;
    this.notice.shown(picture);
    const image = { width: bitmap.width, height: bitmap.height };
    this.surface.setImage(bitmap);
    this.tools.setImage(image);
    this.element.classList.remove('empty');
    void this.openBoxes(item, image, showing);
  }

  showPredictions(boxes: readonly BoxView[]): void {
    this.surface.showPredictions(boxes);
  }

  /**
   * Detaches this image's boxes, because keys that the user presses for the next image must not
   * change them.
   */
  expectAnother(): void {
    const { readOnly, readOnlyReason } = this.options;
    this.pointer.cancel();
    this.entry.close();
    this.model = undefined;
    this.annotator = undefined;
    const noActions = { canEdit: false, canUndo: false, canRedo: false };
    const { display } = this;
    this.tools.show({
      boxes: [],
      display,
      isSaving: false,
      readOnly,
      readOnlyReason,
      ...noActions,
    });
  }

  /**
   * Waits until changes are saved. If saving fails, warns the user. Resolves to true if all changes
   * are saved or the user chooses to leave anyway. Resolves to false if the changes are saved or
   * discarded after the warning, or if another request replaces this one. Also resolves to false,
   * once, if a new box has no label yet, and prompts for the label.
   */
  async leave(): Promise<boolean> {
    this.entry.finish();
    const draft = this.annotator?.draft;
    if (draft && draft !== this.draftToDrop && this.enterLabel()) {
      this.draftToDrop = draft;
      this.entry.requireLabel();
      return false;
    }
    this.pointer.cancel();
    this.resolveLeaving(false);
    const { model } = this;
    if (!model?.isOpen) return true;
    model.take(await this.options.host.flush(model.image));
    const isStored = model.boxes.every(({ state }) => state === 'saved' || state === 'saving');
    if (isStored || this.leavesAnyway || model !== this.model) return true;
    this.resolveLeaving(false);
    this.leaving = Promise.withResolvers();
    this.problems.warnBeforeLeaving(model.boxes);
    return this.leaving.promise;
  }

  private resolveLeaving(goes: boolean): void {
    this.leavesAnyway = goes;
    this.leaving?.resolve(goes);
    this.leaving = undefined;
  }

  focus(): void {
    this.surface.element.focus({ preventScroll: true });
  }

  dispose(): void {
    this.showing += 1;
    this.resolveLeaving(false);
    this.changes.dispose();
    this.surface.dispose();
  }

  private clear({ name }: ShownItem): void {
    const title = l10n.t('Image: {0}', formatLabel(name));
    this.surface.element.setAttribute('aria-label', title);
    this.element.classList.add('empty');
    this.resolveLeaving(false);
    this.entry.close();
    this.model = undefined;
    this.annotator = undefined;
    this.surface.setImage(undefined);
    this.problems.show([]);
  }

  private async openBoxes({ id, boxes }: ShownItem, image: Size, showing: number): Promise<void> {
    const { host, readOnly } = this.options;
    const model = new BoxModel(id, boxes, host, () => this.draw());
    this.model = model;
    this.annotator = new Annotator({
      model,
      image,
      readOnly,
      display: this.display,
      onChange: () => this.draw(),
      onAct: (act, box) => this.announcer.acted(act, box),
    });
    this.draw();
    if (readOnly) return;
    try {
      const [state, labels] = await Promise.all([host.open(id), host.labels().catch(() => [])]);
      if (showing !== this.showing) return;
      this.labels.add(labels);
      model.open(state);
    } catch (error) {
      if (showing !== this.showing) return;
      this.notice.boxesFailed(error);
    }
  }

  private draw(): void {
    const { annotator, model } = this;
    if (!annotator || !model) return;
    const { boxes, selected, draft, canEdit, canUndo, canRedo } = annotator;
    const { readOnly, readOnlyReason } = this.options;
    const { display } = this;
    const { areLabelsShown } = display;
    const all = model.boxes;
    this.labels.add(all.map(({ label }) => label).filter((label) => label !== ''));
    this.surface.show({ boxes, selected, draft, canEdit, areLabelsShown });
    const { isSaving } = model;
    this.tools.show({
      boxes: all,
      display,
      isSaving,
      readOnly,
      readOnlyReason,
      canEdit,
      canUndo,
      canRedo,
    });
    const { imageSize } = this.surface.viewport;
    const isInPicture = document.activeElement === this.surface.element;
    this.announcer.selected(selected, imageSize, isInPicture);
    this.side.show(annotator, imageSize, this.labels.numbered, all.length > boxes.length);
    this.problems.show(all);
    if (all.every(({ state }) => state === 'saved')) this.resolveLeaving(false);
  }

  private viewChanged(): void {
    this.tools.setZoom(this.surface.viewport.zoom);
    const active = this.annotator?.active;
    // Move the label input, because a notice above the image can change the image's position while
    // the user types a label.
    if (this.entry.isOpen && active) this.entry.moveTo(this.entryPosition(active));
  }

  private drawBox(): void {
    const { annotator, surface } = this;
    if (!annotator?.canEdit) return;
    annotator.draw(surface.viewport.middle());
    this.focus();
    this.announcer.drawing();
  }

  /** Prompts for the label of the new or selected box. */
  private enterLabel(): boolean {
    const { annotator } = this;
    if (!annotator?.canEdit || !annotator.active) return false;
    const focused = document.activeElement;
    this.returnFocus = focused instanceof HTMLElement ? focused : undefined;
    const label = annotator.draft ? '' : (annotator.selected?.label ?? '');
    this.entry.open(label, this.entryPosition(annotator.active));
    return true;
  }

  /** Returns a position for the label input: below a box if there is enough space. */
  private entryPosition(box: Corners): EntryPosition {
    const { viewport, element: area } = this.surface;
    const { x, y, height } = toBoxFrame(box, viewport.frame);
    return {
      x: Math.max(0, Math.min(x, area.clientWidth - 260)),
      y: Math.max(0, Math.min(y + height + 4, area.clientHeight - 240)),
    };
  }

  private label(label: string): void {
    this.entry.close();
    this.setLabel(label);
    this.restoreFocus();
  }

  private setLabel(label: string): void {
    this.labels.last = label;
    this.annotator?.label(label);
  }

  private pressed({ target }: PointerEvent): void {
    if (target instanceof Node && !this.entry.element.contains(target)) this.entry.finish();
  }

  private restoreFocus(): void {
    const { returnFocus } = this;
    this.returnFocus = undefined;
    if (returnFocus?.isConnected && this.element.contains(returnFocus)) returnFocus.focus();
    else if (!this.element.contains(document.activeElement)) this.focus();
  }

  /**
   * Cancels the current action or, if there is none, clears the selection; otherwise, lets the
   * stage's owner handle the key.
   */
  private escape(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    const { annotator } = this;
    if (this.help.isOpen) this.help.hide();
    else if (annotator?.draft) annotator.cancel();
    else if (this.pointer.cancel()) this.focus();
    else if (annotator?.selected) annotator.select(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
