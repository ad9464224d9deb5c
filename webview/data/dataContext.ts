import type { DataProtocol } from '../../src/shared/data/dataProtocol';
import type { HostConnection } from '../messaging/hostConnection';
import type { DroppedFiles } from './drops/droppedFiles';
import type { ViewStateStore } from '../ui/createViewStateStore';
import type { Event } from '../../src/base/emitter';
import type { EditedImage } from '../../src/shared/data/boxes';
import type { Proposals, SuspendedReview } from '../../src/shared/data/proposals';
import type { ReadingListingRef, ReadingProgress } from '../../src/shared/data/readings';

/** Context that all parts of the panel share. */
export interface DataContext {
  readonly host: HostConnection<DataProtocol>;
  readonly locale: string;
  /** True if the API key has permission to tag, annotate, and delete data here. */
  readonly canWrite: boolean;
  /** Reason that the connection is read-only; undefined if changes are allowed. */
  readonly readOnly: string | undefined;
  readonly pointCloudScript: string;
  /** Returns the text of the action that can be undone. */
  readonly undoText: () => string | undefined;
  readonly onDidChangeUndo: Event<string | undefined>;
  readonly onDidChangeBoxes: Event<EditedImage>;
  /** Fires with the generation whose items have changed. */
  readonly onDidChangeItems: Event<number>;
  readonly onDidReadContent: Event<ContentProgress>;
  readonly onDidReadReadings: Event<ReadingListingRef & ReadingProgress>;
  readonly onDidChangeProposals: Event<Proposals>;
  readonly onDidChangeSuspendedReview: Event<SuspendedReview | undefined>;
  readonly dropped: DroppedFiles;
  /** State that survives window reloads. */
  readonly viewStates: ViewStateStore;
  /** Announces a message to screen readers. */
  readonly announce: (text: string) => void;
}

/** Number of bytes of an item's content that have been received. */
export interface ContentProgress {
  readonly id: string;
  readonly bytes: number;
}
