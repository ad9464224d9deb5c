import type { BoxContent } from './boxContent';

/** Undo step: the change of one box. Undefined represents a box that doesn't exist. */
export interface BoxStep {
  readonly key: string;
  readonly before: BoxContent | undefined;
  readonly after: BoxContent | undefined;
  /** Number of the gesture. Steps of one gesture on one box are undone together. */
  readonly gesture?: number | undefined;
}

/** Maximum number of undo steps, far more than anyone undoes in one image. */
const MAX_STEPS = 1_000;

/**
 * Undo and redo history. Identifies boxes by keys, because each change assigns a new ID on the
 * service.
 */
export class BoxHistory {
  private done: readonly BoxStep[] = [];
  private undone: readonly BoxStep[] = [];

  get canUndo(): boolean {
    return this.done.length > 0;
  }

  get canRedo(): boolean {
    return this.undone.length > 0;
  }

  record(step: BoxStep): void {
    const last = this.done.at(-1);
    this.undone = [];
    if (last && isContinued(last, step)) {
      this.done = [...this.done.slice(0, -1), { ...step, before: last.before }];
    } else {
      this.done = [...this.done, step].slice(-MAX_STEPS);
    }
  }

  /** @returns the step to undo. */
  undo(): BoxStep | undefined {
    const step = this.done.at(-1);
    if (!step) return undefined;
    this.done = this.done.slice(0, -1);
    // Undoing a step ends its gesture, so later changes are not merged into it.
    this.undone = [...this.undone, { ...step, gesture: undefined }];
    return step;
  }

  /** @returns the step to redo. */
  redo(): BoxStep | undefined {
    const step = this.undone.at(-1);
    if (!step) return undefined;
    this.undone = this.undone.slice(0, -1);
    this.done = [...this.done, step];
    return step;
  }

  /** Clears the steps of a box that another user has removed. */
  forget(key: string): void {
    this.done = this.done.filter((step) => step.key !== key);
    this.undone = this.undone.filter((step) => step.key !== key);
  }
}

function isContinued(last: BoxStep, { key, gesture }: BoxStep): boolean {
  return gesture !== undefined && last.gesture === gesture && last.key === key;
}
