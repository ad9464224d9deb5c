import {
  type Guard,
  isBoolean,
  isListOf,
  isNumber,
  isOneOf,
  isOptional,
  isRecord,
  isShape,
  isString,
  isUndefined,
} from '../guards';
import { command, notification, request } from '../protocol';

/** Corners of a box as fractions of the image's width and height, from the top left. */
export interface Corners {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/**
 * A labeled box as it is drawn. Its corners can be outside the image or swapped, depending on the
 * service.
 */
export interface BoxView extends Corners {
  readonly id: string;
  /** Label text exactly as its author wrote it. */
  readonly label: string;
  /** Confidence of the model that created the box, from 0 to 1; absent if a user drew the box. */
  readonly confidence?: number | undefined;
}

const corners = { xMin: isNumber, yMin: isNumber, xMax: isNumber, yMax: isNumber };
export const isCorners = isShape<Corners>(corners);

export const isBoxView = isShape<BoxView>({
  ...corners,
  id: isString,
  label: isString,
  confidence: isOptional(isNumber),
});

/**
 * Save state of a box. In state `failed`, no part of the last change was saved. In state `half`,
 * the changed box was added, but the box that it replaces couldn't be removed.
 */
const boxStates = ['saved', 'saving', 'failed', 'half'] as const;
export type BoxState = (typeof boxStates)[number];

/** A box that is being annotated. Its ID stays the same even when the service assigns a new one. */
export interface EditedBox extends BoxView {
  readonly state: BoxState;
  /** True if the user deleted the box but it is still stored. */
  readonly deleted: boolean;
  /** Reason why the box isn't saved as drawn. */
  readonly problem?: string | undefined;
  /** Stored boxes that should have been removed. */
  readonly leftovers: readonly BoxView[];
}

/** The boxes of one image during annotation. */
export interface EditedImage {
  readonly image: string;
  /** Sequence number of the last action that is applied. */
  readonly sequence: number;
  readonly boxes: readonly EditedBox[];
  /** True while any change is being saved, including deletions. */
  readonly saving: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/**
 * An action by the user on the boxes of an image. The page creates the IDs of new boxes that it
 * draws.
 */
export type BoxAct =
  | { readonly kind: 'add'; readonly id: string; readonly label: string; readonly corners: Corners }
  | {
      readonly kind: 'change';
      readonly id: string;
      readonly label?: string | undefined;
      readonly corners?: Corners | undefined;
      /**
       * Number of the gesture. Changes in the same gesture form one action, for example when a box
       * is moved by holding down a key.
       */
      readonly gesture?: number | undefined;
    }
  | { readonly kind: 'undo' | 'redo' | 'retryAll' }
  | { readonly kind: BoxKeyAct; readonly id: string };

/**
 * `retry` saves a failed change again, or completes a change that is half saved. `discard` reverts
 * to the last saved state.
 */
const boxKeyActs = ['delete', 'retry', 'discard'] as const;
export type BoxKeyAct = (typeof boxKeyActs)[number];

const isAddAct = isShape<Extract<BoxAct, { kind: 'add' }>>({
  kind: isOneOf('add'),
  id: isString,
  label: isString,
  corners: isCorners,
});
const isChangeAct = isShape<Extract<BoxAct, { kind: 'change' }>>({
  kind: isOneOf('change'),
  id: isString,
  label: isOptional(isString),
  corners: isOptional(isCorners),
  gesture: isOptional(isNumber),
});
const isHistoryAct = isShape<Extract<BoxAct, { kind: 'undo' | 'redo' | 'retryAll' }>>({
  kind: isOneOf('undo', 'redo', 'retryAll'),
});
const isKeyAct = isShape<Extract<BoxAct, { kind: BoxKeyAct }>>({
  kind: isOneOf(...boxKeyActs),
  id: isString,
});
const isBoxAct: Guard<BoxAct> = (value): value is BoxAct =>
  isRecord(value) && [isAddAct, isChangeAct, isHistoryAct, isKeyAct].some((guard) => guard(value));

const isEditedBox = isShape<EditedBox>({
  ...corners,
  id: isString,
  label: isString,
  confidence: isOptional(isNumber),
  state: isOneOf(...boxStates),
  deleted: isBoolean,
  problem: isOptional(isString),
  leftovers: isListOf(isBoxView),
});

const isEditedImage = isShape<EditedImage>({
  image: isString,
  sequence: isNumber,
  boxes: isListOf(isEditedBox),
  saving: isBoolean,
  canUndo: isBoolean,
  canRedo: isBoolean,
});

const isImage = isShape<{ image: string }>({ image: isString });

/** Messages about the boxes of images. */
export const boxMessages = {
  /**
   * Starts or resumes the annotation of an image. Earlier actions can be undone as long as they are
   * in the undo history.
   */
  openBoxes: request(isImage, isEditedImage),
  /** Waits until all changes to an image are saved. */
  settleBoxes: request(isImage, isEditedImage),
  /** Requests the labels that are in use in the panel's scope. */
  boxLabels: request(
    isUndefined,
    isShape<{ labels: readonly string[] }>({ labels: isListOf(isString) }),
  ),
  /** Applies an action. `boxesChanged` with the action's `sequence` follows. */
  actOnBoxes: command(
    isShape<{ image: string; sequence: number; act: BoxAct }>({
      image: isString,
      sequence: isNumber,
      act: isBoxAct,
    }),
  ),
  boxesChanged: notification(isEditedImage),
} as const;

/** Strings of the image view and its annotations. */
export interface BoxStrings {
  /** Label of the image for screen readers: {0} is its name. */
  readonly picture: string;
  readonly loading: string;
  readonly tools: string;
  readonly fit: string;
  readonly actualSize: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  /** {0} is the width and {1} the height in pixels. */
  readonly size: string;
  readonly drawBox: string;
  readonly undo: string;
  readonly redo: string;
  readonly keys: string;
  readonly readOnly: string;
  readonly saving: string;
  readonly saved: string;
  /** {0} is the number of boxes. */
  readonly notSavedOne: string;
  readonly notSaved: string;
  /** Label of the list of boxes: {0} is their number. */
  readonly listOne: string;
  readonly list: string;
  readonly noBoxes: string;
  readonly noBoxesHint: string;
  /**
   * Description of a box: {0} label, {1} left, {2} top, {3} width, {4} height in pixels of the
   * image.
   */
  readonly description: string;
  /** {0} is the model's confidence in percent. */
  readonly confidence: string;
  readonly label: string;
  /** {0} is the default label of an empty field. */
  readonly labelDefault: string;
  readonly labelNeeded: string;
  readonly labels: string;
  readonly showLabels: string;
  /** Label of the control that selects the label whose boxes are shown. */
  readonly isolate: string;
  readonly allLabels: string;
  /** An option of the isolate control: {0} is the label, {1} the number of its boxes. */
  readonly labelCount: string;
  /** Label of a button for a label: {0} is its key, {1} the label. */
  readonly labelKey: string;
  readonly left: string;
  readonly top: string;
  readonly width: string;
  readonly height: string;
  readonly changeLabel: string;
  readonly zoomToBox: string;
  readonly deleteBox: string;
  readonly close: string;
  /** In this and the next strings, {0} is the label. */
  readonly selected: string;
  readonly added: string;
  readonly deleted: string;
  readonly drawing: string;
  /** In this and the next strings, {0} is the label, {1} the reason. */
  readonly failed: string;
  readonly deleteFailed: string;
  readonly halfDone: string;
  readonly retry: string;
  readonly retryAll: string;
  readonly discard: string;
  readonly finish: string;
  readonly rollBack: string;
  readonly leaveUnsaved: string;
  readonly leaveAnyway: string;
  readonly boxesFailed: string;
  readonly states: Readonly<Record<'saved' | 'saving' | 'failed' | 'half', string>>;
  readonly unavailable: {
    /** {0} is the reason. */
    readonly reading: string;
    readonly notPicture: string;
    /** {0} is the width and {1} the height in pixels, {2} the maximum number of megapixels. */
    readonly tooLarge: string;
    readonly broken: string;
    readonly cutOff: string;
    /** Shown for a truncated JPEG, in which the missing part is gray. */
    readonly partial: string;
  };
  /** Keyboard shortcuts and their descriptions, in display order. */
  readonly help: readonly { readonly keys: string; readonly does: string }[];
}
