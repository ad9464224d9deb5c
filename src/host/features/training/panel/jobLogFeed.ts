import { type FleetError, toFleetError } from '../../../../core/api/errors';
import { type ReadLogPage, TrainingLogReader } from '../../../../core/training/trainingLogReader';

/** Log of one job, with its loading state and error. */
export class JobLogFeed {
  readonly follower: TrainingLogReader;
  private problem: FleetError | undefined;
  private reading: Promise<boolean> | undefined;
  private isRead = false;
  private isWhole = false;

  constructor(read: ReadLogPage) {
    this.follower = new TrainingLogReader(read);
  }

  /** Error of the last read, if any. */
  get failure(): FleetError | undefined {
    return this.problem;
  }

  /** True if more lines can follow. False if the log has been read after the end of the job. */
  get isOpen(): boolean {
    return this.problem ? this.problem.kind !== 'unsupported' : !this.isWhole;
  }

  /** True if the log has been read or a read has failed. */
  get isKnown(): boolean {
    return this.isRead || this.problem !== undefined;
  }

  /**
   * Reads new lines, or joins the read in progress. Never throws.
   * @param hasEnded true if the job no longer logs lines, so that this read completes the log
   * @returns true if there is new content to show
   */
  read(hasEnded: boolean, signal: AbortSignal): Promise<boolean> {
    this.reading ??= this.readOn(hasEnded, signal).finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readOn(hasEnded: boolean, signal: AbortSignal): Promise<boolean> {
    const wasKnown = this.isKnown;
    const before = this.problem?.message;
    try {
      const came = await this.follower.read(signal);
      this.problem = undefined;
      this.isRead = true;
      this.isWhole = hasEnded && !this.follower.hasMore;
      return came > 0 || !wasKnown || before !== undefined;
    } catch (error) {
      this.problem = toFleetError(error);
      return this.problem.message !== before;
    }
  }
}
