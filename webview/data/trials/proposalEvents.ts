import type { Proposals, SuspendedReview } from '../../../src/shared/data/proposals';

type Listener = (proposals: Proposals) => void;
type SuspendedListener = (suspended: SuspendedReview | undefined) => void;

/** Passes the host's messages about reviews to the views that show them. */
export class ProposalEvents {
  private readonly listeners = new Set<Listener>();
  private readonly suspendedListeners = new Set<SuspendedListener>();

  listen(listener: Listener): void {
    this.listeners.add(listener);
  }

  notify(proposals: Proposals): void {
    for (const listener of this.listeners) listener(proposals);
  }

  listenSuspended(listener: SuspendedListener): void {
    this.suspendedListeners.add(listener);
  }

  notifySuspended(suspended: SuspendedReview | undefined): void {
    for (const listener of this.suspendedListeners) listener(suspended);
  }
}
