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

/** Corners in fractions of the image's width and height, from the top left. */
export interface Corners {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/** A labeled box as it is drawn. Its corners may be anywhere, and the wrong way round: services differ. */
export interface BoxView extends Corners {
  readonly id: string;
  /** As somebody wrote it. */
  readonly label: string;
  /** How sure the model is that drew it, from 0 to 1; absent when a person did. */
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
 * How far a box is from being stored as it is drawn. `failed`: nothing was stored of the last change.
 * `half`: the changed box was added, and the one it replaces could not be removed.
 */
export const boxStates = ['saved', 'saving', 'failed', 'half'] as const;
export type BoxState = (typeof boxStates)[number];

/** A box that is being annotated. Its id stays the same however often the service gives it another one. */
export interface EditedBox extends BoxView {
  readonly state: BoxState;
  /** It was deleted, and is still stored. */
  readonly deleted: boolean;
  /** Why it is not stored as it is drawn. */
  readonly problem?: string | undefined;
  /** What is stored besides, and should not be. */
  readonly leftovers: readonly BoxView[];
}

/** The boxes of one image while it is annotated. */
export interface EditedImage {
  readonly image: string;
  /** The last act that is taken into account. */
  readonly sequence: number;
  readonly boxes: readonly EditedBox[];
  /** Something is being stored, which may be that a box is gone. */
  readonly saving: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** One thing a person does to the boxes of an image. Ids of new boxes are made by the page that draws them. */
export type BoxAct =
  | { readonly kind: 'add'; readonly id: string; readonly label: string; readonly corners: Corners }
  | {
      readonly kind: 'change';
      readonly id: string;
      readonly label?: string | undefined;
      readonly corners?: Corners | undefined;
      /** Changes of one gesture are one act, such as a box moved by a key that is held. */
      readonly gesture?: number | undefined;
    }
  | { readonly kind: 'undo' | 'redo' | 'retryAll' }
  | { readonly kind: BoxKeyAct; readonly id: string };

/**
 * `retry` stores once more what failed, or finishes what is half done; `discard` goes back to what was stored
 * before it.
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

/** What is said about the boxes of images. */
export const boxMessages = {
  /** Begins to annotate an image, or goes on: acts of before can be undone as long as it is remembered. */
  openBoxes: request(isImage, isEditedImage),
  /** Waits until nothing of an image is being stored. */
  settleBoxes: request(isImage, isEditedImage),
  /** Labels in use where the panel looks. */
  boxLabels: request(
    isNothing,
    isShape<{ labels: readonly string[] }>({ labels: isListOf(isString) }),
  ),
  /** `boxesChanged` follows, with the act's `sequence`. */
  actOnBoxes: command(
    isShape<{ image: string; sequence: number; act: BoxAct }>({
      image: isString,
      sequence: isNumber,
      act: isBoxAct,
    }),
  ),
  boxesChanged: notification(isEditedImage),
} as const;
