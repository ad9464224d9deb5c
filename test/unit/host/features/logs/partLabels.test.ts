import assert from 'node:assert/strict';
import { connectionId, machineId, partId } from '../../../../../src/core/model/ids';
import {
  describedPanel,
  describePanel,
} from '../../../../../src/host/features/logs/panelDescription';
import { exportName } from '../../../../../src/host/features/logs/lineChunks';
import { partLabels } from '../../../../../src/host/features/logs/logSession';
import { partItem } from './logItems';

describe('labels of parts', () => {
  const labels = (...parts: Parameters<typeof partLabels>[0]) => [...partLabels(parts).values()];

  it('are the name of the machine for its main part, and otherwise include both names', () => {
    const arm = partItem({ partId: partId('p2'), name: 'rover-07-arm' });
    assert.deepEqual(labels(partItem(), arm), ['rover-07', 'rover-07 › rover-07-arm']);
  });

  it('differ if names are equal', () => {
    const other = partItem({ machineId: machineId('m2'), partId: partId('0123456789ab') });
    assert.deepEqual(labels(partItem(), other), ['rover-07 (p1)', 'rover-07 (01234567)']);
  });

  it('are IDs if there is no name', () => {
    assert.deepEqual(labels(partItem({ machineName: '' })), ['m1 › rover-07-main']);
  });
});

describe('the name of an exported file', () => {
  it('includes the parts, and is valid on every system', () => {
    assert.equal(exportName(['rover-07']), 'logs-rover-07');
    assert.equal(
      exportName(['rover-07 › arm: 2', 'agv', 'lift']),
      'logs-rover-07-_-arm_-2-and-2-more',
    );
    assert.equal(exportName([]), 'logs-unnamed');
  });
});

describe('the description of a log panel', () => {
  it('restores its parts', () => {
    const parts = [partItem(), partItem({ partId: partId('p2'), name: 'arm' })];
    const connection = connectionId('c');
    const described = describedPanel(describePanel(connection, parts));
    assert.deepEqual(described, { connectionId: connection, parts });
  });

  it('is undefined for other text', () => {
    for (const text of ['', '{', '{}', '{"connection":"c","parts":[{}]}']) {
      assert.equal(describedPanel(text), undefined);
    }
  });
});
