import { FleetError } from '../../api/errors';
import type { Localizer } from '../../../base/localizer';
import type { BoundingBox, BoxCorners } from '../../model/binaryItem';

/** Box on the service. */
export interface StoredBox {
  readonly id: string;
  readonly content: BoxContent;
}

/** Reason that a user's change isn't saved. */
export type BoxProblem =
  | { readonly kind: 'refused'; readonly error: FleetError }
  /** The editor exited before the change was complete. */
  | { readonly kind: 'interrupted' };

/**
 * Box with an identity that survives changes, although each change assigns a new ID on the service.
 */
export interface TrackedBox {
  readonly key: string;
  /** Content that the user wants; undefined if the box is deleted. */
  desired: BoxContent | undefined;
  /**
   * Stored versions of the box, oldest first. Usually there is one version, but there are two while
   * a change is incomplete.
   */
  stored: readonly StoredBox[];
  /**
   * Set when a call got no response. The state on the service is then unknown and might include the
   * added box.
   */
  uncertain?: { readonly added?: BoxContent } | undefined;
  problem?: BoxProblem | undefined;
}

/** Returns the stored box that matches the user's state. */
export function rightOne({ desired, stored }: TrackedBox): StoredBox | undefined {
  return desired && stored.find(({ content }) => isSameContent(content, desired));
}

/** Returns true if the service's state of the box matches the user's. */
export function isStored(box: TrackedBox): boolean {
  return (
    box.stored.length === (box.desired ? 1 : 0) && (!box.desired || rightOne(box) !== undefined)
  );
}

/** A box's content without its ID, because each change assigns a new ID. */
export type BoxContent = Omit<BoundingBox, 'id'>;

const sides = ['xMin', 'yMin', 'xMax', 'yMax'] as const;

/**
 * Tolerance for coordinates. Services that store them in single precision return slightly different
 * values.
 */
const PRECISION = 1e-6;

export function toBoxContent({
  label,
  xMin,
  yMin,
  xMax,
  yMax,
  confidence,
}: BoundingBox): BoxContent {
  return { label, xMin, yMin, xMax, yMax, confidence };
}

/** Returns true if two boxes have the same position and label, within the precision of services. */
export function isSameContent(one: BoxContent, other: BoxContent): boolean {
  return (
    one.label === other.label &&
    one.confidence === other.confidence &&
    sides.every((side) => Math.abs(one[side] - other[side]) <= PRECISION)
  );
}

/**
 * Returns a valid box: within the image, not empty, with a label.
 * @throws FleetError `invalid`
 */
export function requireContent(content: BoxContent, l10n: Localizer): BoxContent {
  const label = content.label.trim();
  if (label === '') throw new FleetError('invalid', l10n.t('A box needs a label.'));
  if (!isWithin(content)) {
    throw new FleetError(
      'invalid',
      l10n.t('A box must be inside its image and must not be empty.'),
    );
  }
  return { ...content, label };
}

function isWithin(corners: BoxCorners): boolean {
  const { xMin, yMin, xMax, yMax } = corners;
  return (
    sides.every((side) => corners[side] >= 0 && corners[side] <= 1) && xMin < xMax && yMin < yMax
  );
}

/** Undo step: a change to one box. Undefined represents a box that doesn't exist. */
export interface BoxStep {
  readonly key: string;
  readonly before: BoxContent | undefined;
  readonly after: BoxContent | undefined;
  /** Number of the gesture. Steps that belong to the same gesture and box are undone together. */
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

  /** Clears the steps for a box that another user has removed. */
  removeSteps(key: string): void {
    this.done = this.done.filter((step) => step.key !== key);
    this.undone = this.undone.filter((step) => step.key !== key);
  }
}

function isContinued(last: BoxStep, { key, gesture }: BoxStep): boolean {
  return gesture !== undefined && last.gesture === gesture && last.key === key;
}
