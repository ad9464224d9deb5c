import type { BoxContent } from './boxContent';

/** One act: what became of which box. Undefined stands for no box. */
export interface BoxStep {
  readonly key: string;
  readonly before: BoxContent | undefined;
  readonly after: BoxContent | undefined;
  /** Steps of one gesture on one box are one act. */
  readonly gesture?: number | undefined;
}

/** More acts than anybody undoes in one image. */
const MOST_STEPS = 1_000;

/** What can be undone and redone. Boxes are known by keys, which outlive the ids that services give them. */
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
      this.done = [...this.done, step].slice(-MOST_STEPS);
    }
  }

  /** @returns the step to go back. */
  undo(): BoxStep | undefined {
    const step = this.done.at(-1);
    if (!step) return undefined;
    this.done = this.done.slice(0, -1);
    // A gesture ends with what is undone.
    this.undone = [...this.undone, { ...step, gesture: undefined }];
    return step;
  }

  /** @returns the step to take again. */
  redo(): BoxStep | undefined {
    const step = this.undone.at(-1);
    if (!step) return undefined;
    this.undone = this.undone.slice(0, -1);
    this.done = [...this.done, step];
    return step;
  }

  /** Forgets what was done to a box that somebody else has removed. */
  forget(key: string): void {
    this.done = this.done.filter((step) => step.key !== key);
    this.undone = this.undone.filter((step) => step.key !== key);
  }
}

function isContinued(last: BoxStep, { key, gesture }: BoxStep): boolean {
  return gesture !== undefined && last.gesture === gesture && last.key === key;
}
