import type { Clock } from '../../base/clock';
import { FleetError } from '../api/errors';

/** Time in milliseconds for which declined questions count. */
const MEMORY_MS = 2 * 60_000;
/** Number of declined questions after which all others are rejected for a while. */
const MAX_DECLINED = 5;
/** Maximum number of questions that wait for other answers. */
const MAX_WAITING = 5;

/**
 * Limits for questions to a person, so that an agent in a loop can't pressure a person into agreeing:
 * one question at a time, and none that a person has just declined.
 */
export class QuestionLimits {
  /** Declined calls with their times in milliseconds, oldest first. */
  private declined: readonly { readonly call: string; readonly at: number }[] = [];
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly clock: Clock) {}

  /**
   * Checks whether a person can be prompted.
   * @param call text that identifies the tool and its input
   * @throws FleetError `permission` if a person has declined this call, or many calls
   */
  requireAllowed(call: string): void {
    const now = this.clock.now().getTime();
    this.declined = this.declined.filter(({ at }) => at > now - MEMORY_MS);
    const isRepeated = this.declined.some((question) => question.call === call);
    if (!isRepeated && this.declined.length < MAX_DECLINED) return;
    throw new FleetError(
      'permission',
      isRepeated
        ? "A person has just declined this change, so no one was prompted again. Don't repeat it; describe it for the user to make."
        : `A person has declined ${MAX_DECLINED} changes in the last two minutes, so no one was prompted. Wait, and ask the user what to change.`,
    );
  }

  /** Records that a person has declined a call. */
  addDeclined(call: string): void {
    this.declined = [...this.declined, { call, at: this.clock.now().getTime() }];
  }

  /**
   * Prompts a person with a question after the earlier ones have been answered.
   * @throws FleetError as `requireAllowed`, and `unavailable` if too many questions wait
   */
  async prompt<T>(call: string, signal: AbortSignal, question: () => Promise<T>): Promise<T> {
    if (this.waiting >= MAX_WAITING) {
      throw new FleetError(
        'unavailable',
        'Other questions wait for the answer of a person. Make one change at a time.',
      );
    }
    this.waiting += 1;
    const answer = this.last.then(async () => {
      signal.throwIfAborted();
      this.requireAllowed(call);
      return question();
    });
    this.last = answer.catch(() => undefined);
    try {
      return await answer;
    } finally {
      this.waiting -= 1;
    }
  }
}
