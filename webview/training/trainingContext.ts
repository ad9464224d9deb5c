import type { TrainingProtocol } from '../../src/shared/training';
import type { TrainingStrings } from '../../src/shared/trainingStrings';
import type { HostConnection } from '../messaging/hostConnection';

/** What every part of the panel works with. */
export interface TrainingContext {
  readonly host: HostConnection<TrainingProtocol>;
  readonly strings: TrainingStrings;
  readonly locale: string;
  /** Says something to screen readers. */
  readonly announce: (text: string) => void;
}
