import type { Proposals } from '../../../src/shared/data/proposals';

type Listener = (proposals: Proposals) => void;

/** Passes on the proposals that the host sends to the view that reviews them. */
export class ProposalNews {
  private readonly listeners = new Set<Listener>();

  listen(listener: Listener): void {
    this.listeners.add(listener);
  }

  tell(proposals: Proposals): void {
    for (const listener of this.listeners) listener(proposals);
  }
}
