import type { BoxStrings } from '../../../src/shared/data/boxStrings';
import type { BoxAct, EditedBox } from '../../../src/shared/data/boxes';
import { element, redrawKeepingFocus, textButton } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { formatLabel } from './formatLabel';

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
