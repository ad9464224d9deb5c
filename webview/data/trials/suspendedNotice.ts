import type { SuspendedReview } from '../../../src/shared/data/proposals';
import { element, textButton } from '../../ui/elements';
import type { DataContext } from '../dataContext';

/** Offers to resume a review that the user closed with accepted labels that aren't saved. */
export class SuspendedNotice {
  readonly element = element('div', { class: 'suspended-notice', role: 'status' });
  private isKnown = false;

  /**
   * @param discarded called after the review was discarded; must move the focus to the remaining
   *   content
   */
  constructor(
    private readonly context: DataContext,
    private readonly discarded: () => void,
  ) {
    const { host, proposalEvents: proposalNews } = context;
    this.element.hidden = true;
    proposalNews.listenSuspended((suspended) => {
      this.isKnown = true;
      this.show(suspended);
    });
    void host
      .request('suspendedReview', undefined)
      // The response can be older than a state that the host has reported since.
      .then(({ suspended }) => this.isKnown || this.show(suspended))
      .catch(() => undefined);
  }

  private show(suspended: SuspendedReview | undefined): void {
    const { host, strings } = this.context;
    const { resume, resumeHint, discard, discardHint } = strings.proposals;
    this.element.hidden = !suspended;
    this.element.replaceChildren();
    if (!suspended) return;
    const { run, text } = suspended;
    const discardReview = (): void => {
      host.send('discardReview', { run });
      this.discarded();
    };
    this.element.append(
      element('span', { dir: 'auto' }, text),
      textButton(resume, () => host.send('resumeReview', { run }), {
        ...{ focusKey: 'resume review', hint: resumeHint },
      }),
      textButton(discard, discardReview, { focusKey: 'discard review', hint: discardHint }),
    );
  }
}
