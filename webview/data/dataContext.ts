import type { DataProtocol } from '../../src/shared/data/dataProtocol';
import type { HostConnection } from '../messaging/hostConnection';
import type { DroppedFiles } from './drops/droppedFiles';
import type { ViewStateStore } from '../ui/createViewStateStore';
import type { ReadingEvents } from './readings/readingEvents';
import type { ProposalEvents } from './trials/proposalEvents';
import type { EditedImage } from '../../src/shared/data/boxes';

/** Context that all parts of the panel share. */
export interface DataContext {
  readonly host: HostConnection<DataProtocol>;
  readonly locale: string;
  /** True if the API key has permission to tag, annotate, and delete data here. */
  readonly canWrite: boolean;
  readonly pointCloudScript: string;
  readonly undoEvents: UndoEvents;
  readonly boxEvents: BoxEvents;
  readonly itemEvents: ItemEvents;
  readonly readingEvents: ReadingEvents;
  readonly proposalEvents: ProposalEvents;
  readonly dropped: DroppedFiles;
  /** State that survives window reloads. */
  readonly viewStates: ViewStateStore;
  /** Announces a message to screen readers. */
  readonly announce: (text: string) => void;
}

type Listener = (text: string | undefined) => void;

/** Notifies listeners about the action that can be undone. */
export class UndoEvents {
  private readonly listeners = new Set<Listener>();
  private text: string | undefined;

  /** Calls a listener now and after every change. */
  listen(listener: Listener): void {
    this.listeners.add(listener);
    listener(this.text);
  }

  notify(text: string | undefined): void {
    this.text = text;
    for (const listener of this.listeners) listener(text);
  }
}

/** Passes the host's messages about boxes to the views that show them. */
export class BoxEvents {
  private readonly listeners = new Set<(image: EditedImage) => void>();

  notify(image: EditedImage): void {
    for (const listener of this.listeners) listener(image);
  }

  /**
   * Adds a listener.
   * @returns a function that removes the listener.
   */
  listen(listener: (image: EditedImage) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** Number of bytes of an item's content that have been received. */
export interface ContentProgress {
  readonly id: string;
  readonly bytes: number;
}

type Stop = () => void;

/** Passes the host's messages about items to the views that show them. */
export class ItemEvents {
  private readonly stale = new Set<(generation: number) => void>();
  private readonly contents = new Set<(progress: ContentProgress) => void>();

  /**
   * Registers a listener for changes to a generation's items.
   * @returns a function that removes the listener.
   */
  listen(listener: (generation: number) => void): Stop {
    this.stale.add(listener);
    return () => this.stale.delete(listener);
  }

  /**
   * Registers a listener for the loading progress of content.
   * @returns a function that removes the listener.
   */
  listenToContents(listener: (progress: ContentProgress) => void): Stop {
    this.contents.add(listener);
    return () => this.contents.delete(listener);
  }

  notifyStale(generation: number): void {
    for (const listener of this.stale) listener(generation);
  }

  notifyProgress(progress: ContentProgress): void {
    for (const listener of this.contents) listener(progress);
  }
}
