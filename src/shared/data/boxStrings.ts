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
