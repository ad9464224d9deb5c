import {
  type Guard,
  isBoolean,
  isListOf,
  isNothing,
  isNumber,
  isOneOf,
  isOptional,
  isRecord,
  isShape,
  isString,
} from '../guards';
import { command, notification, request } from '../protocol';

/** Corners as fractions of the image's width and height, from the top left. */
export interface Corners {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/**
 * A labeled box as it is drawn. Its corners can be outside the image or swapped, because services
 * differ.
 */
export interface BoxView extends Corners {
  readonly id: string;
  /** The original text, as its author wrote it. */
  readonly label: string;
  /** Confidence of the model that created it, from 0 to 1; absent if a user drew it. */
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
 * Save state of a box. `failed`: nothing of the last change was saved. `half`: the changed box was
 * added, but the one it replaces couldn't be removed.
 */
export const boxStates = ['saved', 'saving', 'failed', 'half'] as const;
export type BoxState = (typeof boxStates)[number];

/** A box that is being annotated. Its ID stays the same even when the service assigns a new one. */
export interface EditedBox extends BoxView {
  readonly state: BoxState;
  /** True if it was deleted but is still stored. */
  readonly deleted: boolean;
  /** Reason why it isn't saved as it is drawn. */
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
  /** True while something is being saved, including deletions. */
  readonly saving: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/**
 * An action of the user on the boxes of an image. The page that draws new boxes creates their IDs.
 */
export type BoxAct =
  | { readonly kind: 'add'; readonly id: string; readonly label: string; readonly corners: Corners }
  | {
      readonly kind: 'change';
      readonly id: string;
      readonly label?: string | undefined;
      readonly corners?: Corners | undefined;
      /** Changes of one gesture form one action, for example moving a box with a key held down. */
      readonly gesture?: number | undefined;
    }
  | { readonly kind: 'undo' | 'redo' | 'retryAll' }
  | { readonly kind: BoxKeyAct; readonly id: string };

/**
 * `retry` saves a failed change again, or completes one that is half saved; `discard` reverts to
 * the last saved state.
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
   * Starts or resumes the annotation of an image: earlier actions can be undone while they are
   * remembered.
   */
  openBoxes: request(isImage, isEditedImage),
  /** Waits until no change of an image is being saved. */
  settleBoxes: request(isImage, isEditedImage),
  /** Labels in use in the panel's scope. */
  boxLabels: request(
    isNothing,
    isShape<{ labels: readonly string[] }>({ labels: isListOf(isString) }),
  ),
  /** `boxesChanged` follows, with the action's `sequence`. */
  actOnBoxes: command(
    isShape<{ image: string; sequence: number; act: BoxAct }>({
      image: isString,
      sequence: isNumber,
      act: isBoxAct,
    }),
  ),
  boxesChanged: notification(isEditedImage),
} as const;
