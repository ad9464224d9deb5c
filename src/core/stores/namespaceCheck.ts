import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { type FleetError, isCanceled, toFleetError } from '../api/errors';
import { namespaceProblem, type NamespaceProblem } from '../model/namespaceProblem';
import type { Sleep } from '../ports';

/** What is known of a namespace that somebody types. */
export type NamespaceState =
  | { readonly kind: NamespaceProblem | 'checking' | 'available' | 'taken' }
  | { readonly kind: 'failed'; readonly error: FleetError };

type IsAvailable = (name: string, options: { readonly signal: AbortSignal }) => Promise<boolean>;

interface Check {
  readonly name: string;
  readonly controller: AbortController;
  readonly settled: Promise<void>;
  state: NamespaceState;
}

/** Between the last keystroke and the question to the service. */
const TYPING_PAUSE_MS = 250;

/**
 * Asks whether a namespace is free while it is typed: after a pause, once for each text, and never
 * two questions at a time: the one before is canceled.
 */
export class NamespaceCheck extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  /** The state of the text last asked about is another one. */
  readonly onDidChange = this.changed.event;
  private current: Check | undefined;

  constructor(
    private readonly isAvailable: IsAvailable,
    private readonly sleep: Sleep,
  ) {
    super();
    this.register({ dispose: () => this.current?.controller.abort() });
  }

  /** What is known of a text now; asks the service when it is a new one. */
  stateOf(name: string): NamespaceState {
    if (this.current?.name !== name) this.start(name);
    return this.current?.state ?? { kind: 'checking' };
  }

  /** What is known of a text when its check has ended; one that failed is made again. */
  async settle(name: string): Promise<NamespaceState> {
    if (this.stateOf(name).kind === 'failed') this.start(name);
    const check = this.current;
    await check?.settled;
    return check?.state ?? { kind: 'checking' };
  }

  private start(name: string): void {
    this.current?.controller.abort();
    const controller = new AbortController();
    const problem = namespaceProblem(name);
    this.current = {
      name,
      controller,
      state: { kind: problem ?? 'checking' },
      settled: problem ? Promise.resolve() : this.ask(name, controller.signal),
    };
  }

  private async ask(name: string, signal: AbortSignal): Promise<void> {
    try {
      await this.sleep(TYPING_PAUSE_MS, signal);
      const available = await this.isAvailable(name, { signal });
      this.end(name, { kind: available ? 'available' : 'taken' });
    } catch (error) {
      if (signal.aborted || isCanceled(error)) return;
      this.end(name, { kind: 'failed', error: toFleetError(error) });
    }
  }

  private end(name: string, state: NamespaceState): void {
    if (this.current?.name !== name) return;
    this.current.state = state;
    this.changed.fire();
  }
}
