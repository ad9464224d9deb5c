import type { TrainingProtocol } from '../../src/shared/training';
import type { HostConnection } from '../messaging/hostConnection';

/** Context that all parts of the panel share. */
export interface TrainingContext {
  readonly host: HostConnection<TrainingProtocol>;
  readonly locale: string;
  /** Announces a message to screen readers. */
  readonly announce: (text: string) => void;
}
