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

  constructor(read: ReadLogPage) {
    this.follower = new TrainingLogFollower(read);
  }

  /** Why the last reading failed. */
  get failure(): FleetError | undefined {
    return this.problem;
  }

  /** Whether more is to be read of it. @param hasEnded nothing is logged any more */
  isOpen(hasEnded: boolean): boolean {
    if (this.problem) return this.problem.kind !== 'unsupported';
    return !this.isRead || !hasEnded;
  }

  /** Whether it was read, or could not be. */
  get isKnown(): boolean {
    return this.isRead || this.problem !== undefined;
  }

  /**
   * Reads what has come since, or joins the reading that is under way. Throws nothing.
   * @returns whether there is something new to show
   */
  read(signal: AbortSignal): Promise<boolean> {
    this.reading ??= this.readOn(signal).finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readOn(signal: AbortSignal): Promise<boolean> {
    const wasKnown = this.isKnown;
    const before = this.problem?.message;
    try {
      const came = await this.follower.read(signal);
      this.problem = undefined;
      this.isRead = true;
      return came > 0 || !wasKnown || before !== undefined;
    } catch (error) {
      this.problem = toFleetError(error);
      return this.problem.message !== before;
    }
  }
}
