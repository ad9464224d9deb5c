import type { DataProtocol } from '../../src/shared/data/dataProtocol';
import type { DataStrings } from '../../src/shared/data/dataStrings';
import type { HostConnection } from '../messaging/hostConnection';
import type { UndoNews } from './actions/undoNews';
import type { BoxNews } from './boxes/boxNews';
import type { DroppedFiles } from './drops/droppedFiles';
import type { ItemNews } from './items/itemNews';
import type { KeptViews } from '../ui/keptViews';
import type { ReadingNews } from './readings/readingNews';
import type { ProposalNews } from './trials/proposalNews';

/** Context that all parts of the panel share. */
export interface DataContext {
  readonly host: HostConnection<DataProtocol>;
  readonly strings: DataStrings;
  readonly locale: string;
  /** True if the API key can tag, annotate, and delete here. */
  readonly canWrite: boolean;
  readonly pointCloudScript: string;
  readonly undoNews: UndoNews;
  readonly boxNews: BoxNews;
  readonly itemNews: ItemNews;
  readonly readingNews: ReadingNews;
  readonly proposalNews: ProposalNews;
  readonly dropped: DroppedFiles;
  /** State that survives a reload of the window. */
  readonly kept: KeptViews;
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void;
}
