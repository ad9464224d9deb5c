import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import type { Localizer } from '../../../base/localizer';
import type { BinaryDataId, ConnectionId } from '../../model/ids';
import type { KeyValue, Sleep } from '../../ports';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import { BoxEdits } from './boxEdits';
import { BoxJournal, createImageBoxes } from './boxStorage';

/** Maximum number of images whose undo history is kept in case the user returns to them. */
const MAX_IMAGES = 50;

export interface BoxDeskOptions {
  readonly connectionId: ConnectionId;
  /** Translates error messages. */
  readonly l10n?: Localizer | undefined;
  /** Returns the current connection's store. */
  readonly store: () => BinaryDataStore;
  readonly storage: KeyValue;
  readonly sleep: Sleep;
}

/** Images that are being annotated. The most recently viewed image is last. */
export class AnnotationSessions extends Disposable {
  private readonly images = new Map<BinaryDataId, BoxEdits>();
  private readonly changed = this.register(new Emitter<BinaryDataId>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly options: BoxDeskOptions) {
    super();
  }

  /** Opens an image or returns its open session. Throws `FleetError`. */
  async open(image: BinaryDataId): Promise<BoxEdits> {
    const known = this.images.get(image);
    await known?.refresh();
    const { connectionId, store, storage, sleep, l10n } = this.options;
    const edits =
      known ??
      (await BoxEdits.open({
        image: createImageBoxes(store, image),
        journal: new BoxJournal(storage, `data.boxes:${connectionId}:${image}`),
        sleep,
        l10n,
      }));
    this.trackImage(image, edits);
    return this.images.get(image) ?? edits;
  }

  /** Finds an image that was opened. */
  find(image: BinaryDataId): BoxEdits | undefined {
    return this.images.get(image);
  }

  /** Waits for pending saves to finish. @returns the images with unsaved changes. */
  async flush(): Promise<readonly BinaryDataId[]> {
    await Promise.all([...this.images.values()].map((edits) => edits.flush()));
    return [...this.images].filter(([, edits]) => edits.hasProblems).map(([image]) => image);
  }

  private trackImage(image: BinaryDataId, edits: BoxEdits): void {
    const known = this.images.get(image);
    this.images.delete(image);
    this.images.set(image, known ?? edits);
    if (!known) edits.onDidChange(() => this.changed.fire(image));
    for (const [other, { isSaving, hasProblems }] of this.images) {
      if (this.images.size <= MAX_IMAGES) return;
      if (!isSaving && !hasProblems) this.images.delete(other);
    }
  }
}
