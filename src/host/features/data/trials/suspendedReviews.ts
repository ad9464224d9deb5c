import * as vscode from 'vscode';
import { Disposable, type DisposableLike } from '../../../../base/disposable';
import { Emitter } from '../../../../base/emitter';
import type { BrowsableTarget } from '../../../../manifest/commandArguments';
import { formatNumber } from '../../../platform/text/displayText';
import { isSameTarget, type PanelStart } from '../panelDescription';
import type { ProposalReview } from './proposalReview';
import type { StoredReviews } from './storedReviews';

interface Suspended {
  readonly review: ProposalReview;
  /** Panel that showed the review. */
  readonly panel: PanelStart;
  readonly following: DisposableLike;
}

/**
 * Reviews whose panels were closed before the accepted labels were saved. They are offered in a
 * message, and in any panel opened for the same target. They are stored and offered again after a
 * window reload.
 */
export class SuspendedReviews extends Disposable {
  private readonly changedEmitter = this.register(new Emitter<void>());
  readonly onDidChange = this.changedEmitter.event;
  private readonly suspended = new Map<string, Suspended>();

  /** @param resume opens a panel and resumes a run's review in it */
  constructor(
    private readonly resume: (run: string, panel: PanelStart) => Promise<void>,
    private readonly presentError: (error: unknown) => void,
    private readonly stored: Pick<StoredReviews, 'save' | 'remove'>,
  ) {
    super();
  }

  /**
   * Stores a review's current state, which can be open in a panel or suspended. Removes a review
   * without unsaved accepted labels.
   */
  store(review: ProposalReview, panel: PanelStart): void {
    // While the window is closed, the stored reviews must not change.
    if (this.isDisposed) return;
    if (review.unsaved > 0) this.stored.save(review.state, panel);
    else this.stored.remove(review.run);
  }

  /** Stores a review, and offers it as soon as none of its labels are being saved. */
  add(review: ProposalReview, panel: PanelStart): void {
    if (this.isDisposed) return;
    const { promise: saved, resolve } = Promise.withResolvers<undefined>();
    this.store(review, panel);
    const following = review.onDidChange(() => {
      this.store(review, panel);
      if (review.unsaved === 0) this.remove(review.run);
      else this.changedEmitter.fire();
      if (!review.isSaving) resolve(undefined);
    });
    const suspended = { review, panel, following };
    this.suspended.set(review.run, suspended);
    this.changedEmitter.fire();
    if (!review.isSaving) resolve(undefined);
    void saved.then(() => this.offer(suspended)).catch(this.presentError);
  }

  /** Returns the suspended review for a target, unless some of its labels are still being saved. */
  find(target: BrowsableTarget): ProposalReview | undefined {
    return [...this.suspended.values()].find(
      ({ panel, review }) => !review.isSaving && isSameTarget(panel.target, target),
    )?.review;
  }

  discard(run: string): void {
    this.remove(run)?.review.close();
    this.stored.remove(run);
  }

  /** Stops offering a review because it was resumed, saved, or discarded. */
  remove(run: string): Suspended | undefined {
    const suspended = this.suspended.get(run);
    if (!suspended) return undefined;
    this.suspended.delete(run);
    suspended.following.dispose();
    this.changedEmitter.fire();
    return suspended;
  }

  private async offer(suspended: Suspended): Promise<void> {
    const { review, panel } = suspended;
    // A late answer to a message must not affect a review that has since been resumed.
    const isSuspended = (): boolean => this.suspended.get(review.run) === suspended;
    if (!isSuspended()) return;
    const resume = vscode.l10n.t('Resume Review');
    const discard = vscode.l10n.t('Discard');
    const chosen = await vscode.window.showWarningMessage(describeUnsaved(review), resume, discard);
    if (chosen === discard && isSuspended()) this.discard(review.run);
    if (chosen !== resume) return;
    try {
      await this.resume(review.run, panel);
    } catch (error) {
      this.presentError(error);
      // The panel couldn't be opened, so the message remains the only way to open the review.
      await this.offer(suspended);
    }
  }
}

/** Formats a closed review's name and the number of its unsaved accepted labels. */
export function describeUnsaved({ modelName, unsaved }: ProposalReview): string {
  return unsaved === 1
    ? vscode.l10n.t(
        'A review of labels proposed by "{0}" was closed with 1 unsaved accepted label.',
        modelName,
      )
    : vscode.l10n.t(
        'A review of labels proposed by "{0}" was closed with {1} unsaved accepted labels.',
        modelName,
        formatNumber(unsaved),
      );
}
