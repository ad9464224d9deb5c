import * as l10n from '@vscode/l10n';
import type { BoxAct, EditedBox } from '../../../src/shared/data/boxes';
import { element, redrawKeepingFocus, textButton } from '../../ui/elements';
import { formatLabel } from './boxLabels';
import type { Size } from './boxGeometry';
import { describeBox } from './boxList';
import { type DecodedImage, type ImageProblem, MAX_MEGAPIXELS } from '../decodeImage';

/** Maximum number of boxes listed individually; further boxes can only be retried together. */
const MAX_NAMED_BOXES = 3;

export interface BoxProblemsOptions {
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
    // Don't redraw an unchanged alert. Otherwise, screen readers would announce it again.
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
    const { act, onLeave } = this.options;
    const rows = failed.slice(0, MAX_NAMED_BOXES).map((box) => this.row(box));
    const retryAll = (): void => act({ kind: 'retryAll' });
    if (failed.length > 1) {
      const text = l10n.t('{0} boxes not saved', String(failed.length));
      rows.push(line(text, this.button(l10n.t('Retry All'), retryAll, 'retry all')));
    }
    if (this.leaving) {
      rows.push(
        line(
          l10n.t(
            'Not all changes to this image are saved. Retry or discard them, or leave anyway. You can finish partial changes when you open the image again.',
          ),
          this.button(l10n.t('Leave Anyway'), onLeave, 'leave'),
        ),
      );
    }
    return rows;
  }

  private row(box: EditedBox): HTMLElement {
    const { act } = this.options;
    const { id, state, deleted, problem = '' } = box;
    const isHalf = state === 'half';
    const label = formatLabel(box.label, 40);
    const text = isHalf
      ? l10n.t(
          "Couldn't finish changing {0}. The new box is saved, but the old one still exists. {1}",
          label,
          problem,
        )
      : deleted
        ? l10n.t("Couldn't delete {0}: {1}", label, problem)
        : l10n.t("Couldn't save {0}: {1}", label, problem);
    const retry = (): void => act({ kind: 'retry', id });
    const discard = (): void => act({ kind: 'discard', id });
    return line(
      text,
      this.button(
        isHalf ? l10n.t('Finish (Remove Old Box)') : l10n.t('Retry'),
        retry,
        `retry ${id}`,
      ),
      this.button(
        isHalf ? l10n.t('Roll Back (Remove New Box)') : l10n.t('Discard Change'),
        discard,
        `discard ${id}`,
      ),
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
  readonly locale: string;
  readonly announce: (text: string) => void;
}

/** Announces changes to boxes to screen readers. */
export class BoxAnnouncer {
  private announcedId: string | undefined;

  constructor(private readonly options: AnnouncerOptions) {}

  /**
   * Announces the selected box.
   * @param isThere true if focus is on the image; screen readers don't announce its boxes on their
   *   own
   */
  selected(box: EditedBox | undefined, imageSize: Size, isThere: boolean): void {
    if (this.announcedId === box?.id) return;
    this.announcedId = box?.id;
    if (!box || !isThere) return;
    const { locale, announce } = this.options;
    announce(l10n.t('{0} selected', describeBox(box, imageSize, locale)));
  }

  acted(act: BoxAct, box: EditedBox | undefined): void {
    const { announce } = this.options;
    const label = act.kind === 'add' ? act.label : box?.label;
    if (label === undefined) return;
    if (act.kind === 'add') announce(l10n.t('{0} added', formatLabel(label)));
    if (act.kind === 'delete') announce(l10n.t('{0} deleted', formatLabel(label)));
  }

  drawing(): void {
    this.options.announce(
      l10n.t(
        'New box: arrow keys move it, Alt+arrow keys resize it, Enter labels it, and Escape discards it.',
      ),
    );
  }
}

/** A message next to an image or in place of it. */
export class ImageNotice {
  readonly element = element('div', { class: 'image-notice', role: 'status' });

  constructor(private readonly locale: string) {}

  loading(): void {
    this.showMessage(l10n.t('Loading…'), 'alone');
  }

  /** Shows why the image can't be shown. */
  showProblem(problem: ImageProblem): void {
    this.showMessage(this.describeProblem(problem), 'alone');
  }

  /** Called when the image is shown: hides the message unless the image is incomplete. */
  shown({ isCutOff, isPartial }: Pick<DecodedImage, 'isCutOff' | 'isPartial'>): void {
    const text = isPartial
      ? l10n.t('Partial image: the file is truncated, and the rest of the image is missing.')
      : isCutOff
        ? l10n.t('This image is incomplete: its end is missing.')
        : '';
    this.showMessage(text, text === '' ? 'alone' : 'beside');
  }

  boxesFailed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.showMessage(l10n.t("Couldn't load the boxes of this image: {0}", reason), 'beside');
  }

  private showMessage(text: string, layout: 'alone' | 'beside'): void {
    this.element.textContent = text;
    this.element.hidden = text === '';
    this.element.classList.toggle('beside', layout === 'beside');
  }

  private describeProblem(problem: ImageProblem): string {
    switch (problem.kind) {
      case 'notPicture':
        return l10n.t(
          'This is not a valid image. Its content is neither PNG nor JPEG, regardless of its name.',
        );
      case 'broken':
        return l10n.t("This image is damaged and can't be shown. Download it to inspect it.");
      case 'tooLarge':
        return this.describeSize(problem);
    }
  }

  private describeSize(problem: Extract<ImageProblem, { kind: 'tooLarge' }>): string {
    const number = new Intl.NumberFormat(this.locale);
    const numbers = [problem.width, problem.height, MAX_MEGAPIXELS];
    return l10n.t(
      'This image of {0} × {1} pixels is too large to show. The maximum is {2} megapixels. Download it to view it in another program.',
      ...numbers.map((one) => number.format(one)),
    );
  }
}
