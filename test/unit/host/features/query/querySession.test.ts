import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { organizationId } from '../../../../../src/core/model/ids';
import type { OrganizationTarget } from '../../../../../src/core/model/resourceTarget';
import { QueryRuns } from '../../../../../src/core/query/queryRuns';
import {
  type RequestedQuery,
  type RequestedRun,
  QuerySession,
} from '../../../../../src/host/features/query/querySession';
import {
  toQueryProblem,
  toResultStatus,
} from '../../../../../src/host/features/query/results/runStatus';
import {
  describeOrigin,
  ResultReporter,
} from '../../../../../src/host/features/query/results/resultReporter';
import type { ResultStatus } from '../../../../../src/shared/query/results';
import { QueryHistory, QueryRecorder } from '../../../../../src/host/features/query/queryHistory';
import { SpoolFolder } from '../../../../../src/files/spoolFolder';
import { bundledProgram } from '../../../../support/bundledProgram';
import { keyWithRoles } from '../../../../support/keyWithRoles';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { silentLogger } from '../../../../support/silentLogger';
import { waitUntil } from '../../../../support/waitUntil';
import { TestSessions } from '../../../../support/testSessions';

const noAdvice = (): undefined => undefined;
const heavy =
  'SELECT count(*) FROM range(1000000000) AS a, range(1000) AS b WHERE a.range < b.range';

describe('the session of a query panel', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let folder: string;
  let runs: QueryRuns;
  let history: QueryHistory;
  let session: QuerySession;
  let recorded: Promise<void>[];
  let savesHistory: boolean;

  before(async () => {
    fleet = await openMemoryFleet(await bundledProgram('queryProcess'));
  });

  after(async () => {
    await fleet.close();
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetwright-asked-'));
    sessions = new TestSessions(fleet);
    runs = new QueryRuns(new SpoolFolder(join(folder, 'rows'), (reason) => reason));
    history = new QueryHistory({ file: join(folder, 'history.sqlite'), maxQueries: 100 });
    savesHistory = true;
    recorded = [];
    session = open();
  });

  afterEach(async () => {
    session.dispose();
    await Promise.all(recorded);
    runs.dispose();
    history.dispose();
    sessions.dispose();
    await rm(folder, { recursive: true });
  });

  function target(): OrganizationTarget {
    return {
      kind: 'organization',
      connectionId: sessions.connectionToFleet.id,
      name: 'Acme',
      organizationId: organizationId(fleet.organizationId),
    };
  }

  function open(): QuerySession {
    const recorder = new QueryRecorder({
      history,
      clock: fleet.clock,
      log: silentLogger,
      isOn: () => savesHistory,
    });
    return new QuerySession(target(), {
      sessions,
      runs,
      clock: fleet.clock,
      onDidRun: (query) => recorded.push(recorder.record(query)),
      missingText: (names) => `no value: ${names.join(' ')}`,
    });
  }

  function sql(text: string, parameters: RequestedQuery['parameters'] = {}): RequestedQuery {
    return { language: 'sql', text, recent: false, parameters };
  }

  async function ended(query: RequestedQuery): Promise<RequestedRun> {
    const requestedRun = session.runQuery(query);
    await requestedRun.run.ended;
    return requestedRun;
  }

  it('shows the result of a query', async () => {
    const shown: RequestedRun[] = [];
    session.onDidShow((requestedRun) => shown.push(requestedRun));
    const requestedRun = await ended(sql('SELECT 1 AS one UNION ALL SELECT 2'));
    assert.deepEqual(shown, [requestedRun]);
    assert.equal(session.current, requestedRun);
    const { result, state, rows, columns, problem } = toResultStatus(requestedRun, noAdvice);
    assert.deepEqual(
      { result, state, rows, columns, problem },
      { result: requestedRun.run.id, state: 'complete', rows: 2, columns: 1, problem: undefined },
    );
  });

  it('QuerySession.runQuery records the executed statement, the lines of its file, and the time', async () => {
    const file = { name: 'a.fleet.sql', firstLine: 3, lastLine: 4 };
    const requestedRun = await ended({ ...sql('SELECT :name AS name', { name: 'x' }), file });
    assert.deepEqual(describeOrigin(requestedRun, 'Acme'), {
      language: 'sql',
      statement: "SELECT 'x' AS name",
      organization: 'Acme',
      file,
      at: fleet.clock.now().getTime(),
    });
    session.runAgain();
    const again = session.current;
    assert.ok(again && again !== requestedRun);
    assert.deepEqual(again.query, requestedRun.query);
  });

  it('ResultReporter reports the statuses of the current result and of no earlier one', async () => {
    const reported: { result: string; state?: string }[] = [];
    const page = {
      resultShown: ({ run }: RequestedRun) => reported.push({ result: run.id }),
      resultChanged: ({ result, state }: ResultStatus) => reported.push({ result, state }),
    };
    const reporter = new ResultReporter(session, page, {
      sleep: () => Promise.resolve(),
      adviceOn: noAdvice,
    });
    reporter.report();
    assert.deepEqual(reported, []);
    const first = session.runQuery(sql(heavy));
    const second = await ended(sql('SELECT 1'));
    const of = (id: string): readonly (string | undefined)[] =>
      reported.filter(({ result }) => result === id).map(({ state }) => state);
    await waitUntil(() => of(second.run.id).at(-1) === 'complete');
    assert.deepEqual(of(first.run.id), [undefined, 'waiting']);
    assert.deepEqual(of(second.run.id).slice(0, 2), [undefined, 'waiting']);
    reported.length = 0;
    reporter.report();
    assert.deepEqual(reported, [
      { result: second.run.id },
      { result: second.run.id, state: 'complete' },
    ]);
    reporter.dispose();
  });

  it('reports changes of the visible result only', async () => {
    const first = session.runQuery(sql(heavy));
    const changed: string[] = [];
    session.onDidChange(({ run }) => changed.push(run.id));
    const second = await ended(sql('SELECT 1'));
    await first.run.ended;
    assert.equal(first.run.status.state, 'canceled');
    assert.equal(runs.get(first.run.id), undefined);
    assert.deepEqual(new Set(changed), new Set([second.run.id]));
  });

  it('inserts parameters as values, and maps positions to the original text', async () => {
    const hostile = "x' OR 1 = 1 --";
    const text = 'SELECT :name AS name, nothing_here FROM readings';
    const requestedRun = await ended(sql(text, { name: hostile }));
    const problem = toQueryProblem(requestedRun, noAdvice);
    assert.match(problem?.message ?? '', /nothing_here/);
    assert.equal(text.slice(problem?.start, problem?.end), 'nothing_here');
    const filled = await ended(sql('SELECT :name AS name', { name: hostile }));
    assert.equal(filled.run.status.rows, 1);
  });

  it('runs nothing while a parameter has no value', () => {
    assert.throws(() => session.runQuery(sql('SELECT :part_id AS a, {{since}} AS b')), {
      kind: 'invalid',
      message: 'no value: part_id since',
    });
    assert.equal(session.current, undefined);
  });

  it('offers a recovery action with an error', async () => {
    const requestedRun = await ended(sql('SELECT nothing_here FROM readings'));
    assert.match(
      toQueryProblem(requestedRun, (kind) => `That is ${kind}.`)?.message ?? '',
      /That is invalid\.$/,
    );
  });

  it('explains that a key with a role on one machine cannot run queries', async () => {
    const { stores } = sessions.session;
    const { organizationId: organization } = target();
    const hall = await stores.locations.create(organization, 'Hall', undefined);
    const machine = await stores.machines.create(hall.id, 'amr');
    const limited = new TestSessions(await keyWithRoles(fleet, ['operator', 'robot', machine]));
    const { connectionToFleet } = limited;
    const theirs = new QuerySession(
      { ...target(), connectionId: connectionToFleet.id },
      {
        sessions: limited,
        runs,
        clock: fleet.clock,
        onDidRun: () => undefined,
        missingText: () => '',
      },
    );
    const requestedRun = theirs.runQuery(sql('SELECT 1'));
    await requestedRun.run.ended;
    const kinds: string[] = [];
    const problem = toQueryProblem(requestedRun, (kind) => {
      kinds.push(kind);
      return 'Ask an owner.';
    });
    assert.deepEqual(kinds, ['permission']);
    assert.match(problem?.message ?? '', /Ask an owner\.$/);
    theirs.dispose();
    limited.dispose();
  });

  it('stores queries as written in the history, with their results', async () => {
    await ended(sql('SELECT :secret AS a', { secret: 'hunter2' }));
    await ended(sql('SELECT nothing_here FROM readings'));
    await Promise.all(recorded);
    const { entries } = await history.search(target().connectionId, '', { limit: 10 });
    assert.deepEqual(
      new Map(entries.map(({ text, rows }) => [text, rows])),
      new Map([
        ['SELECT nothing_here FROM readings', undefined],
        ['SELECT :secret AS a', 1],
      ]),
    );
    assert.ok(!JSON.stringify(entries).includes('hunter2'));
  });

  it('stores nothing if the user turns the history off', async () => {
    savesHistory = false;
    await ended(sql('SELECT 1'));
    await Promise.all(recorded);
    assert.equal((await history.search(target().connectionId, '', { limit: 0 })).total, 0);
  });

  it('runs the same query again with the same values', async () => {
    await ended(sql('SELECT :n AS n', { n: '7' }));
    const before = session.current?.run.id;
    session.runAgain();
    await session.current?.run.ended;
    assert.notEqual(session.current?.run.id, before);
    assert.equal(session.current?.run.status.state, 'complete');
  });

  it('stops its work with the panel', async () => {
    const { run } = session.runQuery(sql(heavy));
    session.dispose();
    await run.ended;
    assert.equal(run.status.state, 'canceled');
    assert.deepEqual(await readdir(join(folder, 'rows')).catch(() => []), []);
  });

  it('reports a rename of its own organization only', async () => {
    const named = new Promise<string>((resolve) => session.onDidRename(resolve));
    const { organizations } = session.stores;
    const other = await organizations.create('Other');
    await organizations.rename(other.id, 'Another');
    await organizations.rename(session.target.organizationId, 'Acme & Sons');
    assert.equal(await named, 'Acme & Sons');
  });

  it('reports signing out and in', async () => {
    let changes = 0;
    session.onDidChangeAccess(() => (changes += 1));
    sessions.signOut();
    assert.equal(session.isSignedIn, false);
    assert.throws(() => session.runQuery(sql('SELECT 1')), { kind: 'unauthenticated' });
    sessions.signIn();
    assert.equal(changes, 2);
    sessions.stores().access.refresh();
    assert.equal(changes, 3);
    assert.equal((await ended(sql('SELECT 1'))).run.status.rows, 1);
  });
});
