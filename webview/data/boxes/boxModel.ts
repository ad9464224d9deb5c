import type { Event } from '../../../src/base/emitter';
import type { BoxAct, BoxView, EditedBox, EditedImage } from '../../../src/shared/data/boxes';
import type { DataContext } from '../dataContext';

interface PendingAct {
  readonly sequence: number;
  readonly act: BoxAct;
}

/**
 * The boxes in one image as reported by the host, with local actions applied that the host hasn't
 * processed yet.
 */
export class BoxModel {
  private pending: readonly PendingAct[] = [];
  private state: EditedImage;
  private sequence = 0;
  private drawn: readonly EditedBox[] | undefined;
  private opened = false;

  constructor(
    readonly image: string,
    boxes: readonly BoxView[],
    private readonly host: BoxHost,
    private readonly onChange: () => void,
  ) {
    const shown = boxes.map(unedited);
    this.state = {
      image,
      sequence: 0,
      boxes: shown,
      saving: false,
      canUndo: false,
      canRedo: false,
    };
  }

  /** True if the host is ready to change the boxes. */
  get isOpen(): boolean {
    return this.opened;
  }

  get isSaving(): boolean {
    return this.state.saving || this.pending.length > 0;
  }

  get canUndo(): boolean {
    return this.state.canUndo || this.pending.length > 0;
  }

  get canRedo(): boolean {
    return this.state.canRedo;
  }

  get boxes(): readonly EditedBox[] {
    return (this.drawn ??= this.pending.reduce(
      (boxes, { act }) => after(boxes, act),
      this.state.boxes,
    ));
  }

  find(id: string | undefined): EditedBox | undefined {
    return this.boxes.find((box) => box.id === id);
  }

  open(state: EditedImage): void {
    this.opened = true;
    this.sequence = Math.max(this.sequence, state.sequence);
    this.take(state);
  }

  /** Applies the host's state; ignores states from other images. */
  take(state: EditedImage): void {
    if (state.image !== this.image) return;
    this.state = state;
    this.pending = this.pending.filter(({ sequence }) => sequence > state.sequence);
    this.changed();
  }

  act(act: BoxAct): void {
    if (!this.opened) return;
    this.sequence += 1;
    this.pending = [...this.pending, { sequence: this.sequence, act }];
    this.host.act(this.image, this.sequence, act);
    this.changed();
  }

  private changed(): void {
    this.drawn = undefined;
    this.onChange();
  }
}

function unedited(box: BoxView): EditedBox {
  return { ...box, state: 'saved', deleted: false, leftovers: [] };
}

/**
 * Predicts the result of an action. Effects that can't be predicted locally appear with the host's
 * next state.
 */
function after(boxes: readonly EditedBox[], act: BoxAct): readonly EditedBox[] {
  switch (act.kind) {
    case 'add': {
      const { id, label, corners } = act;
      return [...boxes, { ...unedited({ id, label, ...corners }), state: 'saving' }];
    }
    case 'change':
      return boxes.map((box) => (box.id === act.id ? changed(box, act) : box));
    case 'delete':
      return boxes.filter(({ id }) => id !== act.id);
    default:
      return boxes;
  }
}

function changed(box: EditedBox, act: Extract<BoxAct, { kind: 'change' }>): EditedBox {
  return {
    ...box,
    ...act.corners,
    label: act.label ?? box.label,
    confidence: undefined,
    state: 'saving',
  };
}

/** Host functions that load and save the boxes of images. */
export interface BoxHost {
  open(image: string): Promise<EditedImage>;
  /** Waits until no change to the image is being saved. */
  flush(image: string): Promise<EditedImage>;
  labels(): Promise<readonly string[]>;
  act(image: string, sequence: number, act: BoxAct): void;
  readonly onDidChange: Event<EditedImage>;
}

export function createBoxHost({
  host,
  onDidChangeBoxes,
}: Pick<DataContext, 'host' | 'onDidChangeBoxes'>): BoxHost {
  return {
    open: (image) => host.request('openBoxes', { image }),
    flush: (image) => host.request('settleBoxes', { image }),
    labels: async () => (await host.request('boxLabels', undefined)).labels,
    act: (image, sequence, act) => host.send('actOnBoxes', { image, sequence, act }),
    onDidChange: onDidChangeBoxes,
  };
}
