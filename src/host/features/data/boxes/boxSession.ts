import { Disposable } from '../../../../base/disposable';
import type { Localizer } from '../../../../base/localizer';
import { toFleetError } from '../../../../core/api/errors';
import { AnnotationSessions } from '../../../../core/data/boxes/annotationSessions';
import type { BoxEdits } from '../../../../core/data/boxes/boxEdits';
import type { BoxProblem } from '../../../../core/data/boxes/trackedBox';
import { everyCapture } from '../../../../core/model/captureFilter';
import { binaryDataId, organizationId } from '../../../../core/model/ids';
import type { KeyValue, Sleep } from '../../../../core/ports';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { BoxAct, boxMessages, EditedImage } from '../../../../shared/data/boxes';
import type { HostHandlers } from '../../../../shared/protocol';
import type { DataSession } from '../dataSession';
import { editedImage } from '../items/itemViews';

export interface BoxSessionOptions {
  readonly session: Pick<DataSession, 'connectionId' | 'filter' | 'onDidApply'> & {
    readonly stores: Pick<FleetStores, 'binaryData'>;
  };
  readonly storage: KeyValue;
  readonly sleep: Sleep;
  /** Translates error messages. */
  readonly l10n?: Localizer;
  readonly notify: (image: EditedImage) => void;
  readonly formatProblem: (problem: BoxProblem) => string;
  /** Reports the number of images with unsaved changes when the panel is closed. */
  readonly notifyUnsaved: (images: number) => void;
}

/** Annotation session for one panel. Finishes pending saves when the panel closes. */
export class BoxSession extends Disposable {
  private readonly desk: AnnotationSessions;
  private readonly sequences = new Map<string, number>();
  private opened: string | undefined;

  constructor(private readonly options: BoxSessionOptions) {
    super();
    const { session, storage, sleep } = options;
    this.desk = new AnnotationSessions({
      connectionId: session.connectionId,
      store: () => session.stores.binaryData,
      storage,
      sleep,
      l10n: options.l10n,
    });
    this.register(this.desk.onDidChange((image) => this.notifyImage(image)));
    this.register(session.onDidApply(() => this.refresh()));
    this.register({ dispose: () => void this.finish() });
  }

  handlers(): HostHandlers<typeof boxMessages> {
    return {
      openBoxes: async ({ image }) => {
        this.opened = image;
        return this.view(image, await this.desk.open(binaryDataId(image)));
      },
      settleBoxes: async ({ image }) => {
        const edits = await this.edits(image);
        await edits.flush();
        return this.view(image, edits);
      },
      boxLabels: async (_, signal) => ({ labels: await this.labels(signal) }),
      actOnBoxes: ({ image, sequence, act }) => this.act(image, sequence, act),
    };
  }

  /** Shows other users' changes to the current image. */
  private async refresh(): Promise<void> {
    if (this.opened === undefined) return;
    // If this read fails, other reads also fail and report the problem. The boxes remain unchanged.
    await this.desk.open(binaryDataId(this.opened)).catch(() => undefined);
  }

  private async edits(image: string): Promise<BoxEdits> {
    const id = binaryDataId(image);
    return this.desk.find(id) ?? (await this.desk.open(id));
  }

  private async act(image: string, sequence: number, act: BoxAct): Promise<void> {
    const edits = await this.edits(image);
    this.sequences.set(image, sequence);
    try {
      perform(edits, act);
    } catch (error) {
      // The webview has already drawn the edit and must revert to the stored state.
      this.notifyImage(image);
      throw toFleetError(error);
    }
    this.notifyImage(image);
  }

  /**
   * Labels on all images in the current organizations. A filter restricts only the displayed items,
   * not their labels.
   */
  private async labels(signal: AbortSignal): Promise<readonly string[]> {
    const { stores, filter } = this.options.session;
    const organizationIds = filter.organizations.map(organizationId);
    return stores.binaryData.listLabels({ ...everyCapture, organizationIds }, signal);
  }

  private notifyImage(image: string): void {
    const edits = this.desk.find(binaryDataId(image));
    if (edits && !this.isDisposed) this.options.notify(this.view(image, edits));
  }

  private view(image: string, edits: BoxEdits): EditedImage {
    return editedImage(image, this.sequences.get(image) ?? 0, edits, this.options.formatProblem);
  }

  private async finish(): Promise<void> {
    const unfinished = await this.desk.flush();
    if (unfinished.length > 0) this.options.notifyUnsaved(unfinished.length);
    this.desk.dispose();
  }
}

function perform(edits: BoxEdits, act: BoxAct): void {
  switch (act.kind) {
    case 'add': {
      edits.add(act.id, { label: act.label, ...act.corners });
      return;
    }
    case 'change': {
      edits.change(act.id, act);
      return;
    }
    case 'delete': {
      edits.remove(act.id);
      return;
    }
    case 'undo': {
      edits.undo();
      return;
    }
    case 'redo': {
      edits.redo();
      return;
    }
    case 'retry': {
      edits.retry(act.id);
      return;
    }
    case 'retryAll': {
      edits.retryAll();
      return;
    }
    case 'discard': {
      edits.revert(act.id);
      return;
    }
  }
}
