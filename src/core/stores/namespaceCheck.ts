import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { type FleetError, isCanceled, toFleetError } from '../api/errors';
import type { Sleep } from '../ports';

/** State of a namespace that the user is typing. */
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

/** Debounce delay in milliseconds after the last keystroke. */
const TYPING_PAUSE_MS = 250;

/**
 * Checks whether a namespace is available while the user types it. Debounces the input, checks each
 * name only once, and sends only one request at a time. A new request cancels the previous one.
 */
export class NamespaceCheck extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  /** Fires when the state of the last checked name changes. */
  readonly onDidChange = this.changed.event;
  private current: Check | undefined;

  constructor(
    private readonly isAvailable: IsAvailable,
    private readonly sleep: Sleep,
  ) {
    super();
    this.register({ dispose: () => this.current?.controller.abort() });
  }

  /** Returns the current state of a name. If the name is new, starts a check with the service. */
  getState(name: string): NamespaceState {
    if (this.current?.name !== name) this.start(name);
    return this.current?.state ?? { kind: 'checking' };
  }

  /** Returns a name's state after its check has finished. Repeats a failed check. */
  async waitForState(name: string): Promise<NamespaceState> {
    if (this.getState(name).kind === 'failed') this.start(name);
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
      settled: problem ? Promise.resolve() : this.checkAvailability(name, controller.signal),
    };
  }

  private async checkAvailability(name: string, signal: AbortSignal): Promise<void> {
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

/** Reason that a public namespace is invalid, among those that the client can check. */
type NamespaceProblem = 'empty' | 'characters';

const NAMESPACE = /^[a-z0-9-]+$/;

/**
 * Checks that a namespace contains only lowercase letters, digits, and dashes (spec part 3,
 * Resources and their fields).
 */
export function namespaceProblem(text: string): NamespaceProblem | undefined {
  if (text === '') return 'empty';
  return NAMESPACE.test(text) ? undefined : 'characters';
}
