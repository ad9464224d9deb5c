import type { BoxAct, BoxStrings, EditedBox } from '../../../src/shared/data/boxes';
import { element, redrawKeepingFocus, textButton } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/format';
import { formatLabel } from './formatLabel';
import type { Size } from './boxGeometry';
import { describeBox } from './boxList';
import { type DecodedImage, type ImageProblem, MAX_MEGAPIXELS } from '../decodeImage';

/** Maximum number of boxes listed individually; further boxes can only be retried together. */
const MAX_NAMED_BOXES = 3;

export interface BoxProblemsOptions {
  readonly strings: BoxStrings;
  readonly act: (act: BoxAct) => void;
  readonly onLeave: () => void;
}

/** Notice about the boxes that couldn't be saved as drawn, with recovery actions for each box. */
export class BoxProblems {
  readonly element: HTMLElement;
  private shown = '';
  private leaving = false;

  constructor(private readonly options: BoxProblemsOptions) {
    this.element = element('div', { class: 'box-problems', role: 'alert' });
    this.element.hidden = true;
  }

  show(boxes: readonly EditedBox[]): void {
    const failed = boxes.filter(({ state }) => state === 'failed' || state === 'half');
    if (failed.length === 0) this.leaving = false;
    const key = JSON.stringify([
      this.leaving,
      failed.map(({ id, label, state, problem, deleted }) => [id, label, state, problem, deleted]),
    ]);
    // Don't redraw an unchanged alert, because screen readers would announce it again.
    if (key === this.shown) return;
    this.shown = key;
    this.element.hidden = failed.length === 0;
    const draw = (): void => this.element.replaceChildren(...this.rows(failed));
    redrawKeepingFocus(this.element, draw, () => undefined);
  }

  /** Warns the user that leaving the image would discard changes. */
  warnBeforeLeaving(boxes: readonly EditedBox[]): void {
    this.leaving = true;
    this.show(boxes);
    this.element.querySelector<HTMLElement>('button')?.focus();
  }

  private rows(failed: readonly EditedBox[]): readonly HTMLElement[] {
    const { strings, act, onLeave } = this.options;
    const rows = failed.slice(0, MAX_NAMED_BOXES).map((box) => this.row(box));
    const retryAll = (): void => act({ kind: 'retryAll' });
    if (failed.length > 1) {
      const text = fillPlaceholders(strings.notSaved, String(failed.length));
      rows.push(line(text, this.button(strings.retryAll, retryAll, 'retry all')));
    }
    if (this.leaving) {
      rows.push(line(strings.leaveUnsaved, this.button(strings.leaveAnyway, onLeave, 'leave')));
    }
    return rows;
  }

  private row(box: EditedBox): HTMLElement {
    const { strings, act } = this.options;
    const { id, state, deleted, problem = '' } = box;
    const isHalf = state === 'half';
    const sentence = isHalf ? strings.halfDone : deleted ? strings.deleteFailed : strings.failed;
    const retry = (): void => act({ kind: 'retry', id });
    const discard = (): void => act({ kind: 'discard', id });
    return line(
      fillPlaceholders(sentence, formatLabel(box.label, 40), problem),
      this.button(isHalf ? strings.finish : strings.retry, retry, `retry ${id}`),
      this.button(isHalf ? strings.rollBack : strings.discard, discard, `discard ${id}`),
    );
  }

  private button(label: string, onPress: () => void, focusKey: string): HTMLElement {
    return textButton(label, onPress, { focusKey, hint: label });
  }
}

function line(text: string, ...buttons: readonly HTMLElement[]): HTMLElement {
  return element('div', { class: 'box-problem' }, element('span', {}, text), ...buttons);
}

interface AnnouncerOptions {
  readonly strings: BoxStrings;
  readonly locale: string;
  readonly announce: (text: string) => void;
}

/** Announces changes to boxes to screen readers. */
export class BoxAnnouncer {
  private announcedId: string | undefined;

  constructor(private readonly options: AnnouncerOptions) {}

  /**
   * Announces the selected box.
   * @param isThere true if the focus is on the image; screen readers don't announce its boxes on
   *   their own
   */
  selected(box: EditedBox | undefined, imageSize: Size, isThere: boolean): void {
    if (this.announcedId === box?.id) return;
    this.announcedId = box?.id;
    if (!box || !isThere) return;
    const { strings, locale, announce } = this.options;
    announce(fillPlaceholders(strings.selected, describeBox(box, imageSize, strings, locale)));
  }

  acted(act: BoxAct, box: EditedBox | undefined): void {
    const { announce, strings } = this.options;
    const label = act.kind === 'add' ? act.label : box?.label;
    if (label === undefined) return;
    if (act.kind === 'add') announce(fillPlaceholders(strings.added, formatLabel(label)));
    if (act.kind === 'delete') announce(fillPlaceholders(strings.deleted, formatLabel(label)));
  }

  drawing(): void {
    this.options.announce(this.options.strings.drawing);
  }
}

/** A message next to an image or in place of it. */
export class ImageNotice {
  readonly element = element('div', { class: 'image-notice', role: 'status' });

  constructor(
    private readonly strings: BoxStrings,
    private readonly locale: string,
  ) {}

  loading(): void {
    this.showMessage(this.strings.loading, 'alone');
  }

  /** Shows why the image can't be shown. */
  showProblem(problem: ImageProblem): void {
    this.showMessage(this.describeProblem(problem), 'alone');
  }

  /** Called when the image is shown: hides the message unless the image is incomplete. */
  shown({ isCutOff, isPartial }: Pick<DecodedImage, 'isCutOff' | 'isPartial'>): void {
    const { partial, cutOff } = this.strings.unavailable;
    const text = isPartial ? partial : isCutOff ? cutOff : '';
    this.showMessage(text, text === '' ? 'alone' : 'beside');
  }

  boxesFailed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.showMessage(fillPlaceholders(this.strings.boxesFailed, reason), 'beside');
  }

  private showMessage(text: string, layout: 'alone' | 'beside'): void {
    this.element.textContent = text;
    this.element.hidden = text === '';
    this.element.classList.toggle('beside', layout === 'beside');
  }

  private describeProblem(problem: ImageProblem): string {
    const { unavailable } = this.strings;
    if (problem.kind !== 'tooLarge') return unavailable[problem.kind];
    const number = new Intl.NumberFormat(this.locale);
    const numbers = [problem.width, problem.height, MAX_MEGAPIXELS];
    return fillPlaceholders(unavailable.tooLarge, ...numbers.map((one) => number.format(one)));
  }
}
