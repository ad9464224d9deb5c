import type { DataProtocol } from '../../src/shared/data/dataProtocol';
import type { DataStrings } from '../../src/shared/data/dataStrings';
import type { HostConnection } from '../messaging/hostConnection';
import type { UndoEvents } from './actions/undoEvents';
import type { BoxEvents } from './boxes/boxEvents';
import type { DroppedFiles } from './drops/droppedFiles';
import type { ItemEvents } from './items/itemEvents';
import type { ViewStateStore } from '../ui/createViewStateStore';
import type { ReadingEvents } from './readings/readingEvents';
import type { ProposalEvents } from './trials/proposalEvents';

/** Context that all parts of the panel share. */
export interface DataContext {
  readonly host: HostConnection<DataProtocol>;
  readonly strings: DataStrings;
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
  /** State that survives a reload of the window. */
  readonly viewStates: ViewStateStore;
  /** Announces a message to screen readers. */
  readonly announce: (text: string) => void;
}
