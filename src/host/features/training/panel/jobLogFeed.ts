import { type FleetError, toFleetError } from '../../../../core/api/errors';
import {
  type ReadLogPage,
  TrainingLogFollower,
} from '../../../../core/training/trainingLogFollower';

/** The log of one job, as far as it was read, and why no more of it can be. */
export class JobLogFeed {
  readonly follower: TrainingLogFollower;
  private problem: FleetError | undefined;
  private reading: Promise<boolean> | undefined;
  private isRead = false;
  private isWhole = false;

  constructor(read: ReadLogPage) {
    this.follower = new TrainingLogFollower(read);
  }

  /** Why the last reading failed. */
  get failure(): FleetError | undefined {
    return this.problem;
  }

  /** Whether more is to be read of it: until it was read once the job had ended. */
  get isOpen(): boolean {
    return this.problem ? this.problem.kind !== 'unsupported' : !this.isWhole;
  }

  /** Whether it was read, or could not be. */
  get isKnown(): boolean {
    return this.isRead || this.problem !== undefined;
  }

  /**
   * Reads what has come since, or joins the reading that is under way. Throws nothing.
   * @param hasEnded nothing is logged any more, so that what is read now is all of it
   * @returns whether there is something new to show
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
