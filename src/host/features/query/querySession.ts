import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { FleetError } from '../../../core/api/errors';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { Clock } from '../../../core/ports';
import { fillParameters } from '../../../core/query/language/parameters';
import type { QueryRun } from '../../../core/query/queryRun';
import type { QueryRuns } from '../../../core/query/queryRuns';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { QueryText } from '../../../shared/query/editor';
import type { FileRange } from '../../../shared/query/results';
import type { Texts } from '../../../shared/query/queryPanel';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { RanQuery } from './queryHistory';

/** Query to run, with the values of its parameters. */
export interface RequestedQuery extends QueryText {
  readonly recent: boolean;
  readonly parameters: Texts;
  /** Line range in the query's file; absent for a panel's text. */
  readonly file?: FileRange | undefined;
}

/** Query run whose result is shown. */
export interface RequestedRun {
  readonly run: QueryRun;
  /** Maps an offset in the executed text to the corresponding offset in the original text. */
  readonly mapOffset: (offset: number, side?: 'start' | 'end') => number;
  readonly query: RequestedQuery;
  /** Time of the run, in milliseconds since 1970. */
  readonly at: number;
}

export interface QuerySessionOptions {
  readonly sessions: SessionProvider;
  readonly runs: QueryRuns;
  readonly clock: Clock;
  readonly onDidRun: (query: RanQuery) => void;
  /** Returns the message for parameters without a value. */
  readonly missingText: (names: readonly string[]) => string;
}

/** Session for one panel and organization, independent of webviews. Runs one query at a time. */
export class QuerySession extends Disposable {
  private readonly shownEmitter = this.register(new Emitter<RequestedRun>());
  /** Fires when a different result is shown. */
  readonly onDidShow = this.shownEmitter.event;
  private readonly changedEmitter = this.register(new Emitter<RequestedRun>());
  /** Fires when more of the current result has been loaded. */
  readonly onDidChange = this.changedEmitter.event;
  private readonly accessEmitter = this.register(new Emitter<void>());
  /**
   * Fires when the user signs in or out or the key's permissions change, because these events
   * determine whether queries can be run.
   */
  readonly onDidChangeAccess = this.accessEmitter.event;
  private readonly renamedEmitter = this.register(new Emitter<string>());
  /** Fires when the organization has been renamed or its name has been read for the first time. */
  readonly onDidRename = this.renamedEmitter.event;
  private shown: RequestedRun | undefined;
  private last: RequestedQuery | undefined;

  constructor(
    readonly target: OrganizationTarget,
    private readonly options: QuerySessionOptions,
  ) {
    super();
    const { sessions } = options;
    const stores = sessions.lastingStores(target.connectionId);
    this.register(stores.onDidSignIn(() => this.accessEmitter.fire()));
    this.register(stores.onDidSignOut(() => this.accessEmitter.fire()));
    this.register(stores.access.onDidChange(() => this.accessEmitter.fire()));
    this.register(
      stores.organizations.onDidChange(({ ids, all }) => {
        if (all || ids.includes(target.organizationId)) void this.readName(stores);
      }),
    );
    this.register(
      sessions.onDidChangeSilence((id) => {
        if (id === target.connectionId) this.accessEmitter.fire();
      }),
    );
    this.register({ dispose: () => this.shown?.run.dispose() });
  }

  /**
   * Returns the current connection's stores. Throws `unauthenticated` if the connection is signed
   * out.
   */
  get stores(): FleetStores {
    return this.options.sessions.stores(this.target.connectionId);
  }

  get isSignedIn(): boolean {
    return this.options.sessions.connection(this.target.connectionId) !== undefined;
  }

  /** True if the service doesn't respond. */
  get isSilent(): boolean {
    return this.options.sessions.isSilent(this.target.connectionId);
  }

  /** Query whose result is shown. */
  get current(): RequestedRun | undefined {
    return this.shown;
  }

  /**
   * Runs a query and shows its result. Disposes of the previous result.
   * @throws FleetError `invalid` if a parameter has no value, `unauthenticated` if the connection
   *   is signed out.
   */
  runQuery(query: RequestedQuery): RequestedRun {
    const { language, text, recent, parameters } = query;
    const filled = fillParameters(language, text, parameters);
    if (filled.missing.length > 0) {
      throw new FleetError('invalid', this.options.missingText(filled.missing));
    }
    const { organizationId } = this.target;
    const isRecent = recent && language === 'mql';
    const filledQuery = { organizationId, language, text: filled.text, recent: isRecent };
    const before = this.shown;
    const run = this.options.runs.start(filledQuery, this.stores.queries);
    this.last = query;
    const requestedRun: RequestedRun = {
      run,
      mapOffset: filled.mapOffset,
      query,
      at: this.options.clock.now().getTime(),
    };
    this.shown = requestedRun;
    requestedRun.run.onDidChange(() => {
      if (this.shown === requestedRun) this.changedEmitter.fire(requestedRun);
    });
    this.shownEmitter.fire(requestedRun);
    before?.run.dispose();
    this.options.onDidRun({ target: this.target, language, text, run });
    return requestedRun;
  }

  /** Runs the last query again, with the same values. */
  runAgain(): void {
    if (this.last) this.runQuery(this.last);
  }

  private async readName({ organizations }: FleetStores): Promise<void> {
    try {
      const { name } = await organizations.get(this.target.organizationId);
      if (!this.isDisposed) this.renamedEmitter.fire(name);
    } catch {
      // The last known name stays. A query reports why reads fail.
    }
  }
}
