import '../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { partId } from '../../../../../src/core/model/ids';
import type { PartTarget } from '../../../../../src/core/model/resourceTarget';
import { findPart } from '../../../../../src/core/stores/findMachines';
import { queryReadings } from '../../../../../src/host/features/logs/queryReadings';
import type { CommandId } from '../../../../../src/manifest/commands';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { NumberedLog } from '../../../../support/numberedLog';
import { TestSessions } from '../../../../support/testSessions';
import { lineItem } from './logItems';

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;

describe('queryReadings', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  async function makePart(): Promise<PartTarget> {
    const { part } = await NumberedLog.make(fleet, 'rover');
    const { id } = sessions.connectionToFleet;
    return (await findPart(sessions.stores(), id, part)).target;
  }

  /** Returns the query for lines at the given minutes after noon, in the order of the rows. */
  async function queryMinutes(minutes: readonly number[]): Promise<string> {
    const part = await makePart();
    const items = minutes.map((minute, key) =>
      lineItem({ key, part: partId(part.partId), micros: (NOON + minute * MINUTE_MS) * 1_000 }),
    );
    let text = '';
    const commands = {
      execute: (_: CommandId, query: { text: string }) => {
        ({ text } = query);
        return Promise.resolve();
      },
    };
    await queryReadings({ sessions, commands } as never, {
      parts: [part],
      items,
      range: undefined,
    });
    return text;
  }

  it('covers the earliest and latest times of lines in the order of receipt', async () => {
    const text = await queryMinutes([10, 30, 2, 20]);
    assert.match(text, /time_requested >= CAST\('2026-11-21T12:01:00\.000Z' AS TIMESTAMP\)/);
    assert.match(text, /time_requested < CAST\('2026-11-21T12:31:00\.000Z' AS TIMESTAMP\)/);
  });
});
