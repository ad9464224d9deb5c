import { isRecord } from '../../base/isRecord';
import {
  type Guarded,
  type Guard,
  isBoolean,
  isListOf,
  isNumber,
  isOneOf,
  isOptional,
  isShape,
  isString,
  isUndefined,
} from '../guards';
import { command, notification, request } from '../protocol';

const corners = { xMin: isNumber, yMin: isNumber, xMax: isNumber, yMax: isNumber } as const;
export const isCorners = isShape(corners);
/** Corners of a box as fractions of the image's width and height, from the top left. */
export type Corners = Guarded<typeof isCorners>;

const boxView = {
  ...corners,
  id: isString,
  /** Label text exactly as its author wrote it. */
  label: isString,
  /** Confidence of the model that created the box, from 0 to 1; absent if a user drew the box. */
  confidence: isOptional(isNumber),
} as const;
export const isBoxView = isShape(boxView);
/**
 * A labeled box as it is drawn. Its corners can be outside the image or swapped, depending on the
 * service.
 */
export type BoxView = Guarded<typeof isBoxView>;

/**
 * Save state of a box. In state `failed`, no part of the last change was saved. In state `half`,
 * the changed box was added, but the box that it replaces couldn't be removed.
 */
const boxStates = ['saved', 'saving', 'failed', 'half'] as const;

/**
 * `retry` saves a failed change again, or completes a change that is half saved. `discard` reverts
 * to the last saved state.
 */
const boxKeyActs = ['delete', 'retry', 'discard'] as const;

const isAddAct = isShape({
  kind: isOneOf('add'),
  id: isString,
  label: isString,
  corners: isCorners,
});
const isChangeAct = isShape({
  kind: isOneOf('change'),
  id: isString,
  label: isOptional(isString),
  corners: isOptional(isCorners),
  /**
   * Number of the gesture. Changes in the same gesture form one action, for example when a box
   * is moved by holding down a key.
   */
  gesture: isOptional(isNumber),
});
const isHistoryAct = isShape({
  kind: isOneOf('undo', 'redo', 'retryAll'),
});
const isKeyAct = isShape({
  kind: isOneOf(...boxKeyActs),
  id: isString,
});
/** A user action on the boxes in an image. The page creates the IDs of new boxes that it draws. */
export type BoxAct = Guarded<
  typeof isAddAct | typeof isChangeAct | typeof isHistoryAct | typeof isKeyAct
>;
const isBoxAct: Guard<BoxAct> = (value): value is BoxAct =>
  isRecord(value) && [isAddAct, isChangeAct, isHistoryAct, isKeyAct].some((guard) => guard(value));

const isEditedBox = isShape({
  ...boxView,
  state: isOneOf(...boxStates),
  /** True if the user deleted the box but it is still stored. */
  deleted: isBoolean,
  /** Reason why the box isn't saved as drawn. */
  problem: isOptional(isString),
  /** Stored boxes that should have been removed. */
  leftovers: isListOf(isBoxView),
});
/** A box that is being annotated. Its ID stays the same even when the service assigns a new one. */
export type EditedBox = Guarded<typeof isEditedBox>;

const isEditedImage = isShape({
  image: isString,
  /** Sequence number of the last action that is applied. */
  sequence: isNumber,
  boxes: isListOf(isEditedBox),
  /** True while any change is being saved, including deletions. */
  saving: isBoolean,
  canUndo: isBoolean,
  canRedo: isBoolean,
});
/** The boxes in one image during annotation. */
export type EditedImage = Guarded<typeof isEditedImage>;

const isImage = isShape({ image: isString });

/** Messages about the boxes of images. */
export const boxMessages = {
  /**
   * Starts or resumes an image's annotation. Earlier actions can be undone as long as they are in
   * the undo history.
   */
  openBoxes: request(isImage, isEditedImage),
  /** Waits until all changes to an image are saved. */
  settleBoxes: request(isImage, isEditedImage),
  /** Requests the labels that are in use in the panel's scope. */
  boxLabels: request(isUndefined, isShape({ labels: isListOf(isString) })),
  /** Applies an action. `boxesChanged` with the action's `sequence` follows. */
  actOnBoxes: command(
    isShape({
      image: isString,
      sequence: isNumber,
      act: isBoxAct,
    }),
  ),
  boxesChanged: notification(isEditedImage),
} as const;
