import assert from 'node:assert/strict';
import { Emitter } from '../../../../../src/base/emitter';
import type { ResponseChange } from '../../../../../src/core/api/responseWatch';
import { systemSleep } from '../../../../../src/base/clock';
import type { PartTarget } from '../../../../../src/core/model/resourceTarget';
import { findPart } from '../../../../../src/core/stores/findMachines';
import { LogSession } from '../../../../../src/host/features/logs/logSession';
import { logsProtocol } from '../../../../../src/shared/logs';
import { CuttableTransport } from '../../../../support/cuttableTransport';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { NumberedLog } from '../../../../support/numberedLog';
import { silentLogger } from '../../../../support/silentLogger';
import { TestSessions } from '../../../../support/testSessions';
import { waitUntil } from '../../../../support/waitUntil';

describe('LogSession', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let logs: [NumberedLog, NumberedLog];
  let parts: PartTarget[];
  let session: LogSession;
  let responses: Emitter<ResponseChange>;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    responses = new Emitter();
    const open = cutWhenClosed(fleet);
    sessions = new TestSessions({
      ...fleet,
      open: (...request) => ({ ...open(...request), onDidChangeResponse: responses.event }),
    });
    logs = [await NumberedLog.make(fleet, 'arm'), await NumberedLog.make(fleet, 'rover')];
    const { id } = sessions.connectionToFleet;
    parts = [];
    for (const { part } of logs) parts.push((await findPart(sessions.stores(), id, part)).target);
    session = openSession();
  });

  afterEach(async () => {
    session.dispose();
    sessions.dispose();
    await fleet.close();
  });

  function openSession(): LogSession {
    return new LogSession(sessions.connectionToFleet.id, parts, {
      sessions,
      clock: fleet.clock,
      sleep: (milliseconds, signal) => systemSleep(Math.min(milliseconds, 1), signal),
      log: silentLogger,
      limit: 1_000,
      logMessages: { ended: 'Ended.', full: (limit) => `At most ${limit}.` },
      gapText: ({ reason }, labels) => [...labels, reason].join(': '),
    });
  }

  const until = (what: string, isMet: () => boolean): Promise<void> =>
    waitUntil(isMet, { describeState: () => `${what}; ${JSON.stringify(states())}` });

  const states = () => session.states({ connecting: 'Coming.', live: 'There.', silent: 'Frozen.' });

  const live = (): Promise<void> =>
    until('all parts are live', () => states().every(({ state }) => state === 'live'));

  const shown = (): readonly string[] =>
    session.rows(-1_000, 1_000).rows.flatMap((row) => (row.kind === 'line' ? [row.text] : []));

  it('merges the logs of its parts, and labels them', async () => {
    await live();
    assert.equal(states()[0]?.detail, 'There.');
    responses.fire({ kind: 'silent' });
    assert.deepEqual(
      states().map(({ state, detail }) => [state, detail]),
      [
        ['silent', 'Frozen.'],
        ['silent', 'Frozen.'],
      ],
    );
    responses.fire({ kind: 'answering' });
    assert.equal(states()[0]?.state, 'live');
    await logs[0].log(2);
    fleet.clock.advance(10);
    await logs[1].log(1, () => ({ message: 'rolling' }));
    await until('three lines', () => shown().length === 3);
    assert.deepEqual(shown(), ['line 1', 'line 2', 'rolling']);
    assert.deepEqual(session.names, ['arm', 'rover']);
    const labeled = session
      .shown()
      .map((item) => item.kind === 'line' && session.lineLabels.label(item));
    assert.deepEqual(labeled, ['arm', 'arm', 'rover']);
  });

  it('reports changes within the limits of the protocol, with the newest rows', async () => {
    await live();
    await logs[0].log(5);
    await until('five lines', () => shown().length === 5);
    const change = { revision: 1, ...session.takeChange(true, 2) };
    assert.ok(logsProtocol.changed.params(change));
    assert.equal(change.end - change.first, 5);
    assert.deepEqual(
      change.newest?.rows.map((row) => row.kind === 'line' && row.text),
      ['line 4', 'line 5'],
    );
    assert.equal(change.newest.start, change.end - 2);
    assert.equal(session.takeChange(false, 0).newest, undefined);
    assert.equal(session.takeChange(false, 0).reset, false);
  });

  it('filters, and marks matches', async () => {
    await live();
    await logs[0].log(12);
    await until('twelve lines', () => shown().length === 12);
    const filter = { ...session.filter.current, text: 'NE 1', matchCase: false };
    assert.equal(await session.filter.apply(filter), undefined);
    assert.deepEqual(shown(), ['line 1', 'line 10', 'line 11', 'line 12']);
    const [row] = session.rows(-1_000, 1_000).rows;
    assert.deepEqual(row?.kind === 'line' && row.found, [[2, 6]]);

    const wrong = { ...filter, text: '(', isPattern: true };
    assert.equal((await session.filter.apply(wrong))?.kind, 'invalid');
    assert.equal(session.filter.current, filter);
    assert.equal(shown().length, 4);
  });

  it('returns the parts that the filter shows', async () => {
    await live();
    const shownNames = (): readonly string[] => session.shownParts.map(({ name }) => name);
    assert.deepEqual(shownNames(), ['arm-main', 'rover-main']);
    const shown = parts.slice(1).map(({ partId }) => partId);
    await session.filter.apply({ ...session.filter.current, parts: shown });
    assert.deepEqual(shownNames(), ['rover-main']);
  });

  it('follows the names of machines and parts', async () => {
    const [arm] = parts;
    assert.ok(arm);
    const stores = sessions.stores();
    await stores.machines.rename({ id: arm.machineId, locationId: arm.locationId }, 'lifter');
    await until('the new name', () => session.names[0] === 'lifter › arm-main');
    await stores.parts.rename(arm.partId, 'lifter-main');
    await until('the new name', () => session.names[0] === 'lifter');
    assert.match(session.description, /"lifter-main"/);
  });

  it('adds and removes parts', async () => {
    await live();
    const third = await NumberedLog.make(fleet, 'agv');
    await third.log(1, () => ({ message: 'driving' }));
    const { id } = sessions.connectionToFleet;
    sessions.stores().refresh();
    session.add([(await findPart(sessions.stores(), id, third.part)).target]);
    await until('its line', () => shown().includes('driving'));
    assert.deepEqual(session.names, ['arm', 'rover', 'agv']);
    session.remove(third.part);
    assert.deepEqual(session.names, ['arm', 'rover']);
    assert.deepEqual(shown(), []);
    assert.equal(states().length, 2);
  });

  it('stops at the sign-out, reports why, and continues at the next sign-in without missing lines', async () => {
    await live();
    await logs[0].log(1);
    await until('a line', () => shown().length === 1);
    sessions.signOut();
    await until('stopped', () => states().every(({ state }) => state === 'stopped'));
    assert.equal(states()[0]?.detail, 'You are signed out.');
    fleet.clock.advance(1_000);
    await logs[0].log(1);
    sessions.signIn();
    await until('the line of between', () => shown().length === 2);
    await live();
    assert.deepEqual(shown(), ['line 1', 'line 2']);
  });

  it('names the parts of a gap unless it affects all of them', async () => {
    const gap = { kind: 'gap', key: 1, reason: 'missed', micros: 0, endMicros: 1 } as const;
    const rest = { state: 'open', loaded: 0 } as const;
    const ids = parts.map(({ partId }) => partId);
    const text = (of: typeof ids) => session.lineLabels.gap({ ...gap, ...rest, parts: of });
    assert.deepEqual([text(ids), text(ids.slice(1))], ['missed', 'rover: missed']);
    for (const id of ids.slice(1)) session.remove(id);
    assert.deepEqual([text(ids.slice(0, 1)), text(ids.slice(1))], ['missed', `${ids[1]}: missed`]);
    await live();
  });
});

/** Makes a session cut its transport when it is closed, as over HTTP. */
function cutWhenClosed({ open }: MemoryFleet): MemoryFleet['open'] {
  return (...connection) => {
    const opened = open(...connection);
    const transport = new CuttableTransport(opened.transport);
    return { ...opened, transport, dispose: () => transport.cut() };
  };
}
